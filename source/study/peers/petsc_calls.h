#pragma once

#include "solver.h"
#include "start_mpi.h"

#include <tessera/base/error.h>

#include <petscksp.h>

#include <string>

namespace tessera::benchmarks
{
  inline void
  check_petsc(const PetscErrorCode code)
  {
    if (code != 0)
      throw Error(ExitCode::other,
                  "PETSc failed with code " + std::to_string(code) + '.');
  }

  inline void
  start_petsc()
  {
    start_mpi();
    PetscBool started = PETSC_FALSE;
    check_petsc(PetscInitialized(&started));
    if (started)
      return;
    // Signals stay with the program.
    check_petsc(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"));
    check_petsc(PetscInitializeNoArguments());
    check_petsc(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  }

  /// Conjugate gradients of PETSc (KSPCG) with Jacobi or block Jacobi, and
  /// views of our vectors, of which every process has `n_local` entries.
  class PetscKsp
  {
  public:
    PetscKsp(Mat A, const bool of_blocks, const PetscInt n_local,
             const PetscInt n_rows)
    {
      check_petsc(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, n_local, n_rows,
                                        nullptr, &x_view));
      check_petsc(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, n_local, n_rows,
                                        nullptr, &b_view));
      check_petsc(KSPCreate(PETSC_COMM_WORLD, &ksp));
      check_petsc(KSPSetType(ksp, KSPCG));
      check_petsc(KSPSetOperators(ksp, A, A));
      check_petsc(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
      check_petsc(KSPGetPC(ksp, &pc));
      check_petsc(PCSetType(pc, of_blocks ? PCBJACOBI : PCJACOBI));
      check_petsc(
        KSPSetResidualHistory(ksp, nullptr, PETSC_DECIDE, PETSC_TRUE));
    }

    PetscKsp(const PetscKsp &) = delete;
    PetscKsp &
    operator=(const PetscKsp &) = delete;

    ~PetscKsp()
    {
      KSPDestroy(&ksp);
      VecDestroy(&x_view);
      VecDestroy(&b_view);
    }

    /// Sets block Jacobi to that many blocks of one process.
    void
    set_blocks(const PetscInt n)
    {
      check_petsc(PCBJacobiSetTotalBlocks(pc, n, nullptr));
    }

    void
    set_up()
    {
      check_petsc(KSPSetUp(ksp));
      check_petsc(KSPSetUpOnBlocks(ksp));
    }

    /// Solves from the start vector 0.
    CGResult
    solve(double *x, const double *b, const CGControl &control)
    {
      check_petsc(KSPSetTolerances(ksp, control.relative_tolerance,
                                   control.absolute_tolerance, PETSC_DEFAULT,
                                   control.max_iterations));
      check_petsc(VecPlaceArray(x_view, x));
      check_petsc(VecPlaceArray(b_view, b));
      check_petsc(KSPSolve(ksp, b_view, x_view));
      CGResult result;
      PetscInt iterations       = 0;
      KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
      check_petsc(VecNorm(b_view, NORM_2, &result.initial_residual));
      check_petsc(KSPGetIterationNumber(ksp, &iterations));
      check_petsc(KSPGetResidualNorm(ksp, &result.residual));
      check_petsc(KSPGetConvergedReason(ksp, &reason));
      check_petsc(VecResetArray(x_view));
      check_petsc(VecResetArray(b_view));
      result.iterations        = iterations;
      const PetscReal *history = nullptr;
      PetscInt length          = 0;
      check_petsc(KSPGetResidualHistory(ksp, &history, &length));
      result.history.assign(history, history + length);
      set_end(result, reason > 0, control);
      return result;
    }

  private:
    Vec x_view = nullptr, b_view = nullptr;
    KSP ksp = nullptr;
    PC pc   = nullptr; ///< belongs to ksp
  };
} // namespace tessera::benchmarks

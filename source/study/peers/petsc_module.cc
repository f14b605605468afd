// This is a module of its own, so that PETSc is loaded only when it is asked
// for.
#include "shared_rows.h"
#include "solver.h"
#include "start_mpi.h"

#include <tessera/base/error.h>
#include <tessera/operators/models.h>

#include <omp.h>
#include <petscksp.h>

#include <algorithm>

namespace tessera::benchmarks
{
  namespace
  {
    void
    check_petsc(const PetscErrorCode code)
    {
      if (code != 0)
        throw Error(ExitCode::other,
                    "PETSc failed with code " + std::to_string(code) + '.');
    }

    void
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

    /// Conjugate gradients of PETSc in all processes. Block Jacobi has a block
    /// for each of them, or as many as the program has threads if there is
    /// one, with ILU(0) in each.
    class PetscCG : public Solver<double>
    {
    public:
      PetscCG(const SparseMatrix &matrix, const bool of_blocks)
        : shared(matrix), of_blocks(of_blocks)
      {
        if (needs_64_bit_offsets(shared.n_nonzeros))
          throw ParameterError("PETSc was given " +
                               std::to_string(shared.n_nonzeros) +
                               " nonzeros; 32-bit row starts reach to "
                               "2147483647.");
        make_matrix();
        const PetscInt n_local = shared.n_here();
        check_petsc(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, n_local,
                                          shared.n_rows, nullptr, &x_view));
        check_petsc(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, n_local,
                                          shared.n_rows, nullptr, &b_view));
        check_petsc(KSPCreate(PETSC_COMM_WORLD, &ksp));
        check_petsc(KSPSetType(ksp, KSPCG));
        check_petsc(KSPSetOperators(ksp, A, A));
        check_petsc(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
        PC pc = nullptr;
        check_petsc(KSPGetPC(ksp, &pc));
        check_petsc(PCSetType(pc, of_blocks ? PCBJACOBI : PCJACOBI));
        if (of_blocks && shared.n_processes == 1)
          check_petsc(PCBJacobiSetTotalBlocks(
            pc, std::min(shared.n_rows, omp_get_max_threads()), nullptr));
        check_petsc(
          KSPSetResidualHistory(ksp, nullptr, PETSC_DECIDE, PETSC_TRUE));
        check_petsc(KSPSetUp(ksp));
        check_petsc(KSPSetUpOnBlocks(ksp));
      }

      ~PetscCG() override
      {
        KSPDestroy(&ksp);
        VecDestroy(&x_view);
        VecDestroy(&b_view);
        MatDestroy(&A);
      }

      CGResult
      solve(Vector<double> &x, const Vector<double> &b,
            const CGControl &control) override
      {
        check_petsc(KSPSetTolerances(ksp, control.relative_tolerance,
                                     control.absolute_tolerance, PETSC_DEFAULT,
                                     control.max_iterations));
        check_petsc(VecPlaceArray(x_view, shared.start(x)));
        check_petsc(VecPlaceArray(b_view, shared.part_of(b)));
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
        shared.finish(x);
        result.iterations        = iterations;
        const PetscReal *history = nullptr;
        PetscInt length          = 0;
        check_petsc(KSPGetResidualHistory(ksp, &history, &length));
        result.history.assign(history, history + length);
        set_end(result, reason > 0, control);
        return result;
      }

      /// Counts a product and, one by one, the operations on vectors with
      /// Jacobi, as operations of cuBLAS are counted.
      double
      iteration_bytes() const override
      {
        const double rows = shared.n_rows, s = sizeof(PetscScalar);
        return of_blocks ? std::numeric_limits<double>::quiet_NaN()
                         : (s + 4) * shared.n_nonzeros + (4 + 2 * s) * rows +
                             19 * s * rows;
      }

    private:
      /// Copies the rows into a matrix of PETSc, of the type that suits the
      /// number of processes.
      void
      make_matrix()
      {
        const SparseMatrix &rows = shared.rows();
        const PetscInt n_local   = shared.n_here();
        const std::vector<PetscInt> starts(rows.pattern.row_start.begin(),
                                           rows.pattern.row_start.end());
        check_petsc(MatCreate(PETSC_COMM_WORLD, &A));
        check_petsc(
          MatSetSizes(A, n_local, n_local, shared.n_rows, shared.n_rows));
        check_petsc(MatSetType(A, MATAIJ));
        // The call for the other type does nothing.
        check_petsc(MatSeqAIJSetPreallocationCSR(
          A, starts.data(), rows.pattern.columns.data(), rows.values.data()));
        check_petsc(MatMPIAIJSetPreallocationCSR(
          A, starts.data(), rows.pattern.columns.data(), rows.values.data()));
        check_petsc(MatSetOption(A, MAT_SPD, PETSC_TRUE));
      }

      SharedRows shared;
      const bool of_blocks;
      Mat A      = nullptr;
      Vec x_view = nullptr, b_view = nullptr;
      KSP ksp = nullptr;
    };
  } // namespace
} // namespace tessera::benchmarks

extern "C" void
tessera_start()
{
  tessera::benchmarks::start_petsc();
}

extern "C" tessera::benchmarks::Solver<double> *
tessera_make_petsc_jacobi(const tessera::SparseMatrix &matrix)
{
  return new tessera::benchmarks::PetscCG(matrix, false);
}

extern "C" tessera::benchmarks::Solver<double> *
tessera_make_petsc_block_jacobi(const tessera::SparseMatrix &matrix)
{
  return new tessera::benchmarks::PetscCG(matrix, true);
}

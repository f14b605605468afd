// This is a module of its own, so that PETSc is loaded only when it is asked
// for.
#include "host_solvers.h"
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

    /// Conjugate gradients of PETSc in this process. Block Jacobi has as many
    /// blocks as the program has threads, with ILU(0) in each.
    class PetscCG : public Solver<double>
    {
    public:
      PetscCG(const SparseMatrix &matrix, const std::string &preconditioner)
        : n(matrix.n_rows()), of_blocks(preconditioner != "jacobi"),
          starts(matrix.pattern.row_start.begin(),
                 matrix.pattern.row_start.end()),
          columns(matrix.pattern.columns), values(matrix.values)
      {
        if (needs_64_bit_offsets(matrix.n_nonzeros()))
          throw ParameterError("PETSc was given " +
                               std::to_string(matrix.n_nonzeros()) +
                               " nonzeros; 32-bit row starts reach to "
                               "2147483647.");
        check_petsc(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n,
                                              starts.data(), columns.data(),
                                              values.data(), &A));
        check_petsc(MatSetOption(A, MAT_SPD, PETSC_TRUE));
        check_petsc(
          VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, nullptr, &x_view));
        check_petsc(
          VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, nullptr, &b_view));
        check_petsc(KSPCreate(PETSC_COMM_SELF, &ksp));
        check_petsc(KSPSetType(ksp, KSPCG));
        check_petsc(KSPSetOperators(ksp, A, A));
        check_petsc(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
        PC pc = nullptr;
        check_petsc(KSPGetPC(ksp, &pc));
        if (!of_blocks)
          check_petsc(PCSetType(pc, PCJACOBI));
        else
          {
            check_petsc(PCSetType(pc, PCBJACOBI));
            check_petsc(PCBJacobiSetTotalBlocks(
              pc, std::min(n, omp_get_max_threads()), nullptr));
          }
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
        x.zero();
        check_petsc(KSPSetTolerances(ksp, control.relative_tolerance,
                                     control.absolute_tolerance, PETSC_DEFAULT,
                                     control.max_iterations));
        check_petsc(VecPlaceArray(x_view, x.data()));
        check_petsc(VecPlaceArray(b_view, b.data()));
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

      /// Counts a product and, one by one, the operations on vectors with
      /// Jacobi, as those of cuBLAS are counted.
      double
      iteration_bytes() const override
      {
        const double rows = n, s = sizeof(PetscScalar);
        return of_blocks
                 ? std::numeric_limits<double>::quiet_NaN()
                 : (s + 4) * values.size() + (4 + 2 * s) * rows + 19 * s * rows;
      }

    private:
      const PetscInt n;
      const bool of_blocks;
      std::vector<PetscInt> starts, columns;
      std::vector<PetscScalar> values;
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
tessera_make_petsc_cg(const tessera::SparseMatrix &matrix,
                      const char *const preconditioner)
{
  return new tessera::benchmarks::PetscCG(matrix, preconditioner);
}

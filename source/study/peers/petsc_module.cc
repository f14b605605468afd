// This is a module of its own, so that PETSc is loaded only when it is asked
// for.
#include "petsc_calls.h"
#include "shared_rows.h"

#include <tessera/operators/models.h>

#include <omp.h>

#include <algorithm>
#include <optional>

namespace tessera::benchmarks
{
  namespace
  {
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
        ksp.emplace(A, of_blocks, shared.n_own(), shared.n_rows);
        if (of_blocks && shared.n_processes == 1)
          ksp->set_blocks(std::min(shared.n_rows, omp_get_max_threads()));
        ksp->set_up();
      }

      ~PetscCG() override
      {
        ksp.reset();
        MatDestroy(&A);
      }

      CGResult
      solve(Vector<double> &x, const Vector<double> &b,
            const CGControl &control) override
      {
        const CGResult result =
          ksp->solve(shared.start(x), shared.part_of(b), control);
        shared.finish(x);
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
        const PetscInt n_local   = shared.n_own();
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
      }

      SharedRows shared;
      const bool of_blocks;
      Mat A = nullptr;
      std::optional<PetscKsp> ksp;
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

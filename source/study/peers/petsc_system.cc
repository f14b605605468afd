#include "petsc_calls.h"

#include <tessera/assembly/assemble.h>
#include <tessera/matrix/divided_rows.h>
#include <tessera/study/peers/assembled_system.h>

#include <numeric>
#include <optional>

namespace tessera::benchmarks
{
  namespace
  {
    /// Assembles as users of PETSc do: every process adds the matrices of its
    /// cells by `MatSetValues`, and PETSc sends what belongs to the rows of
    /// others. Preconditioners are made anew for every matrix.
    class PetscSystem : public AssembledSystem
    {
    public:
      PetscSystem(const Problem<double> &problem, const bool of_blocks)
        : problem(problem), n(problem.space().dofs_per_cell())
      {
        const Space &space = problem.space();
        if (space.n_components > 1 || space.n_hanging > 0 ||
            space.n_constrained > 0 || !space.fixed.empty())
          throw ParameterError(
            "Systems of PETSc are for one component, "
            "without hanging and constrained nodes.");
        start_petsc();
        number_rows();
        const CellData<double> &cells = *problem.cells();
        of_cells                      = {Backend::host,
                                         std::size_t(cells.n_batches()) * cells.lanes() * n * n};
        // A matrix that counts entries, and the one with their places.
        Mat pattern = make_matrix(MATPREALLOCATOR);
        check_petsc(MatSetUp(pattern));
        add_cells(pattern);
        A = make_matrix(MATAIJ);
        check_petsc(MatPreallocatorPreallocate(pattern, PETSC_TRUE, A));
        check_petsc(MatDestroy(&pattern));
        ksp.emplace(A, of_blocks, space.n_owned, n_rows);
      }

      ~PetscSystem() override
      {
        ksp.reset();
        MatDestroy(&A);
      }

      void
      assemble(const FormData<double> &form) override
      {
        assemble_local(of_cells.data(), false, form,
                       problem.options().strategy);
        check_petsc(MatZeroEntries(A));
        add_cells(A);
      }

      CGResult
      solve(Vector<double> &x, const Vector<double> &b,
            const CGControl &control) override
      {
        return ksp->solve(x.data(), b.data(), control);
      }

    private:
      /// Gives the rows of a process successive numbers; ghosts have the
      /// numbers that their owners gave.
      void
      number_rows()
      {
        const Space &space = problem.space();
        const auto &others = *problem.parts().others();
        const auto first   = number_nodes(*others.messages, space.n_owned);
        std::vector<std::int64_t> numbers(space.n_owned + space.n_ghosts);
        std::iota(numbers.begin(), numbers.begin() + space.n_owned,
                  first[others.messages->part()]);
        import_values(*others.messages, others.shared, space.n_owned,
                      numbers.data());
        row_of.assign(numbers.begin(), numbers.end());
        n_rows = static_cast<PetscInt>(first.back());
      }

      Mat
      make_matrix(const MatType type) const
      {
        Mat matrix        = nullptr;
        const int n_local = problem.space().n_owned;
        check_petsc(MatCreate(PETSC_COMM_WORLD, &matrix));
        check_petsc(MatSetSizes(matrix, n_local, n_local, n_rows, n_rows));
        check_petsc(MatSetType(matrix, type));
        if (std::string(type) == MATPREALLOCATOR)
          check_petsc(MatSetUp(matrix));
        return matrix;
      }

      /// Adds the matrices of the cells of this process.
      void
      add_cells(Mat matrix) const
      {
        const Space &space = problem.space();
        const int lanes    = problem.cells()->lanes();
        std::vector<PetscInt> rows(n);
        std::vector<PetscScalar> entries(std::size_t(n) * n);
        for (int cell = 0; cell < space.n_cells(); ++cell)
          {
            for (int i = 0; i < n; ++i)
              rows[i] = row_of[space.cell_dofs[std::size_t(cell) * n + i]];
            const double *const first =
              of_cells.data() +
              std::size_t(cell / lanes) * entries.size() * lanes + cell % lanes;
            for (std::size_t k = 0; k < entries.size(); ++k)
              entries[k] = first[k * lanes];
            check_petsc(MatSetValues(matrix, n, rows.data(), n, rows.data(),
                                     entries.data(), ADD_VALUES));
          }
        check_petsc(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
        check_petsc(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
      }

      const Problem<double> &problem;
      const int n;
      PetscInt n_rows = 0;
      std::vector<PetscInt> row_of; ///< of owned nodes and ghosts
      Array<double> of_cells;       ///< [n_batches][n][n][lanes]
      Mat A = nullptr;
      std::optional<PetscKsp> ksp;
    };
  } // namespace
} // namespace tessera::benchmarks

extern "C" tessera::benchmarks::AssembledSystem *
tessera_make_petsc_jacobi_system(const tessera::Problem<double> &problem)
{
  return new tessera::benchmarks::PetscSystem(problem, false);
}

extern "C" tessera::benchmarks::AssembledSystem *
tessera_make_petsc_block_jacobi_system(const tessera::Problem<double> &problem)
{
  return new tessera::benchmarks::PetscSystem(problem, true);
}

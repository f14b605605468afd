#include <tessera/forms/laplace.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/parallel/owned_rows.h>
#include <tessera/solvers/problem.h>

#include <cmath>

#include "meshes.h"
#include "parts.h"
#include "problems.h"
#include "test.h"

// These tests run in several processes (mpirun).
namespace tessera
{
  using namespace test;

  namespace
  {
    SparseMatrix
    rows_on(const std::shared_ptr<const Space> &space,
            const Parts<double> &parts = {})
    {
      const auto A = Problem<double>(space, Backend::host, parts)
                       .make_operator("csr", laplace(anisotropic()));
      return collect_rows(
        dynamic_cast<const RowOperator<double> &>(*A).matrix(),
        space->n_stored());
    }
  } // namespace

  TEST(OwnedRows, AreThoseOfTheWholeMatrix)
  {
    for (const int degree : {1, 2, 3})
      {
        SCOPED_TRACE(degree);
        const Connectivity mesh = unstructured_mesh(degree, 1);
        const auto whole = std::make_shared<const Space>(build_space(mesh));
        const SparseMatrix expected = rows_on(whole);
        std::vector<int> row_of_dof(mesh.n_dofs, -1);
        for (int i = 0; i < whole->n_owned; ++i)
          row_of_dof[whole->mesh_dof[i]] = i;

        const Piece piece(mesh);
        const Space &space = *piece.space;
        const SparseMatrix rows =
          owned_rows(processes(), rows_on(piece.space, piece.parts<double>()),
                     piece.shared, space.n_owned, 1);
        const Share nodes = share(processes(), space.n_owned);
        ASSERT_EQ(nodes.all, whole->n_owned);
        ASSERT_EQ(rows.n_rows(), space.n_owned);
        ASSERT_EQ(rows.n_columns, whole->n_owned);
        // The row of the whole matrix that stands for each one.
        std::vector<double> place(nodes.all);
        for (int i = 0; i < space.n_owned; ++i)
          place[nodes.before + i] = row_of_dof[space.mesh_dof[i]];
        processes().sum(place);

        const SparsityPattern &of_whole = expected.pattern;
        for (int i = 0; i < space.n_owned; ++i)
          {
            const auto row = static_cast<int>(place[nodes.before + i]);
            std::vector<double> values(nodes.all, 0.);
            for (auto k = of_whole.row_start[row];
                 k < of_whole.row_start[row + 1]; ++k)
              values[of_whole.columns[k]] = expected.values[k];
            ASSERT_EQ(rows.pattern.row_start[i + 1] - rows.pattern.row_start[i],
                      of_whole.row_start[row + 1] - of_whole.row_start[row]);
            int last = -1;
            for (auto k = rows.pattern.row_start[i];
                 k < rows.pattern.row_start[i + 1]; ++k)
              {
                const int column = rows.pattern.columns[k];
                ASSERT_GT(column, std::exchange(last, column));
                EXPECT_NEAR(rows.values[k],
                            values[static_cast<int>(place[column])],
                            1e-12 * std::abs(values[row]));
              }
          }
      }
  }
} // namespace tessera

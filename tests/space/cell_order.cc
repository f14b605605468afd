#include "meshes.h"
#include "test.h"

#include <set>

using namespace tessera;

namespace
{
  /// Vertices of full batches of interior cells, on average.
  double
  vertices_per_batch(const Space &space)
  {
    const int n_batches = space.n_interior_cells / cells_per_batch;
    double sum          = 0;
    for (int b = 0; b < n_batches; ++b)
      {
        const auto first =
          space.cell_vertices.begin() + 4 * cells_per_batch * b;
        sum += std::set<int>(first, first + 4 * cells_per_batch).size();
      }
    return sum / n_batches;
  }
} // namespace

TEST(CellOrder, HilbertIsAPermutation)
{
  for (const int n_x : {1, 31, 33})
    {
      const Space space =
        build_space(test::generated_mesh(2, n_x, 2),
                    Numbering::batch_interleaved, CellOrder::hilbert);
      const std::set<int> cells(space.mesh_cell.begin(), space.mesh_cell.end());
      EXPECT_EQ(cells.size(), std::size_t(space.n_cells()));
      EXPECT_EQ(*cells.rbegin(), space.n_cells() - 1);
    }
}

TEST(CellOrder, HilbertStepsToANeighbour)
{
  // without distortion and on a power of two, successive cells share an edge
  GeneratedMesh parameters;
  parameters.n_x = parameters.n_y = 16;
  parameters.distortion           = 0;
  parameters.dirichlet            = false;
  const Space space               = build_space(
                  generate(parameters), Numbering::cell_first_touch, CellOrder::hilbert);
  for (int c = 1; c < space.n_cells(); ++c)
    {
      const int a = space.mesh_cell[c - 1], b = space.mesh_cell[c];
      EXPECT_EQ(std::abs(a % 16 - b % 16) + std::abs(a / 16 - b / 16), 1);
    }
}

TEST(CellOrder, HilbertKeepsBatchesCompact)
{
  // 32 cells touch 45 vertices in an 8 by 4 block and 66 in a row; pieces of
  // the curve cut short by the boundary lie between
  const Connectivity mesh = test::generated_mesh(1, 100, 90);
  const double in_rows    = vertices_per_batch(build_space(mesh));
  const double on_curve   = vertices_per_batch(
      build_space(mesh, Numbering::batch_interleaved, CellOrder::hilbert));
  EXPECT_GE(in_rows, 66);
  EXPECT_LT(on_curve, 52);
}

TEST(CellOrder, HilbertHelpsWhereTheMeshHasNoOrder)
{
  const Connectivity mesh = test::unstructured_mesh(2, 4);
  const double given      = vertices_per_batch(build_space(mesh));
  const double on_curve   = vertices_per_batch(
      build_space(mesh, Numbering::batch_interleaved, CellOrder::hilbert));
  EXPECT_LE(on_curve, given);
  EXPECT_LT(on_curve, 55);
}

#include "cell_meshes.h"
#include "test.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

using namespace tessera;

namespace
{
  /// Returns the mean number of vertices of full batches of interior cells.
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

  /// Returns a grid's cells by blocks of `side` boxes per direction.
  std::vector<int>
  blocked_cells(const GeneratedMesh &m, const int n_cells, const int side)
  {
    const bool solid = dimension(m.cell_type) == 3;
    const int in_box = n_cells / (m.n_x * m.n_y * (solid ? m.n_z : 1));
    std::vector<int> cells(n_cells);
    std::iota(cells.begin(), cells.end(), 0);
    const auto block = [&](const int cell) {
      const int box = cell / in_box;
      return std::array<int, 3>{box / m.n_x / m.n_y / side,
                                box / m.n_x % m.n_y / side, box % m.n_x / side};
    };
    std::stable_sort(cells.begin(), cells.end(), [&](const int a, const int b) {
      return block(a) < block(b);
    });
    return cells;
  }

  GeneratedMesh
  grid(const CellType type, const int n_x, const int n_y, const int n_z)
  {
    GeneratedMesh m;
    m.cell_type  = type;
    m.n_x        = n_x;
    m.n_y        = n_y;
    m.n_z        = n_z;
    m.distortion = 0.249;
    m.dirichlet  = false;
    return m;
  }

  std::vector<int>
  order_of(const Connectivity &mesh, const int side)
  {
    return build_space(mesh, "batch_interleaved", CellOrder::blocked, side)
      .mesh_cell;
  }
} // namespace

TEST(CellOrder, HilbertIsAPermutation)
{
  for (const int n_x : {1, 31, 33})
    {
      const Space space = build_space(test::generated_mesh(2, n_x, 2),
                                      "batch_interleaved", CellOrder::hilbert);
      const std::set<int> cells(space.mesh_cell.begin(), space.mesh_cell.end());
      EXPECT_EQ(cells.size(), std::size_t(space.n_cells()));
      EXPECT_EQ(*cells.rbegin(), space.n_cells() - 1);
    }
}

TEST(CellOrder, HilbertStepsToANeighbour)
{
  // Without distortion, on a power of two, successive cells share an edge.
  GeneratedMesh parameters;
  parameters.n_x = parameters.n_y = 16;
  parameters.distortion           = 0;
  parameters.dirichlet            = false;
  const Space space =
    build_space(generate(parameters), "cell_first_touch", CellOrder::hilbert);
  for (int c = 1; c < space.n_cells(); ++c)
    {
      const int a = space.mesh_cell[c - 1], b = space.mesh_cell[c];
      EXPECT_EQ(std::abs(a % 16 - b % 16) + std::abs(a / 16 - b / 16), 1);
    }
}

TEST(CellOrder, HilbertKeepsBatchesCompact)
{
  // 32 cells touch 45 vertices in an 8 by 4 block and 66 in a row. Pieces of
  // the curve that the boundary cuts short are between these.
  const Connectivity mesh = test::generated_mesh(1, 100, 90);
  const double in_rows    = vertices_per_batch(build_space(mesh));
  const double on_curve   = vertices_per_batch(
      build_space(mesh, "batch_interleaved", CellOrder::hilbert));
  EXPECT_GE(in_rows, 66);
  EXPECT_LT(on_curve, 52);
}

TEST(CellOrder, HilbertHelpsWhereTheMeshHasNoOrder)
{
  const Connectivity mesh = test::unstructured_mesh(2, 4);
  const double given      = vertices_per_batch(build_space(mesh));
  const double on_curve   = vertices_per_batch(
      build_space(mesh, "batch_interleaved", CellOrder::hilbert));
  EXPECT_LE(on_curve, given);
  EXPECT_LT(on_curve, 55);
}

TEST(CellOrder, BlocksHaveExactlySoManyCells)
{
  const GeneratedMesh m       = grid(CellType::quadrilateral, 24, 16, 1);
  const std::vector<int> cell = order_of(generate(m), 8);
  for (int first = 0; first < 24 * 16; first += 64)
    {
      std::set<int> columns, rows;
      for (int k = first; k < first + 64; ++k)
        {
          columns.insert(cell[k] % 24);
          rows.insert(cell[k] / 24);
        }
      EXPECT_EQ(columns.size() * rows.size(), 64u);
      EXPECT_EQ(*columns.begin() % 8 + *rows.begin() % 8, 0);
    }
}

TEST(CellOrder, BlocksOfBoxesOfAnyCellTypeAndSize)
{
  // The cases are: last blocks that are not full, one block, blocks of one box.
  for (const CellType type : test::cell_types)
    for (const auto &[n_x, n_y, n_z] :
         {std::array<int, 3>{1, 1, 1}, std::array<int, 3>{31, 1, 1},
          std::array<int, 3>{3, 11, 1}, std::array<int, 3>{19, 13, 6}})
      for (const int side : {1, 2, 4, 5, 8, 100, max_block_side})
        {
          SCOPED_TRACE(to_string(type) + " " + std::to_string(n_x) + " " +
                       std::to_string(side));
          const GeneratedMesh m     = grid(type, n_x, n_y, n_z);
          const Connectivity mesh   = generate(m);
          const std::vector<int> in = blocked_cells(m, mesh.n_cells(), side);
          EXPECT_EQ(order_of(mesh, side), in);
          EXPECT_EQ(order_of(test::turned(mesh), side), in);
        }
}

TEST(CellOrder, BlocksOfCellsThatAreNotSquare)
{
  const GeneratedMesh m = grid(CellType::hexahedron, 12, 7, 9);
  Connectivity mesh     = generate(m);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.vertices[i] = mesh.vertices[i] * (i % 3 == 1 ? 40 : 1) - 5.;
  EXPECT_EQ(order_of(mesh, 4), blocked_cells(m, mesh.n_cells(), 4));
}

TEST(CellOrder, BlocksInteriorFirst)
{
  GeneratedMesh m = grid(CellType::quadrilateral, 21, 18, 1);
  m.dirichlet     = true;
  const Space space =
    build_space(generate(m), "cell_first_touch", CellOrder::blocked, 5);
  std::vector<int> expected = blocked_cells(m, 21 * 18, 5);
  std::stable_partition(expected.begin(), expected.end(), [](const int c) {
    return c % 21 % 20 != 0 && c / 21 % 17 != 0;
  });
  EXPECT_EQ(space.mesh_cell, expected);
  EXPECT_EQ(space.n_interior_cells, 19 * 16);
}

TEST(CellOrder, BlocksAreCompactOnAnyMesh)
{
  // 32 cells in a row touch 66 vertices.
  for (const int n_refinements : {2, 3, 4})
    {
      const Connectivity mesh     = test::unstructured_mesh(1, n_refinements);
      const std::vector<int> cell = order_of(mesh, 4);
      const std::set<int> all(cell.begin(), cell.end());
      EXPECT_EQ(all.size(), std::size_t(mesh.n_cells()));
      EXPECT_EQ(*all.rbegin(), mesh.n_cells() - 1);
    }
  EXPECT_LT(
    vertices_per_batch(build_space(test::unstructured_mesh(2, 4), "blocked")),
    66);
}

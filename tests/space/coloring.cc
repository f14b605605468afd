#include "meshes.h"
#include "numberings.h"
#include "test.h"

#include <tessera/base/error.h>
#include <tessera/space/coloring.h>

#include <cmath>
#include <set>

using namespace tessera;

namespace
{
  std::set<int>
  dofs_of(const Space &space, const int first, const int last)
  {
    const int n = space.dofs_per_cell();
    return {space.cell_dofs.begin() + n * first,
            space.cell_dofs.begin() + n * last};
  }

  bool
  disjoint(const std::set<int> &a, const std::set<int> &b)
  {
    return std::none_of(a.begin(), a.end(),
                        [&](const int dof) { return b.count(dof) > 0; });
  }

  int
  end_of(const Coloring &coloring, const int block, const int n_cells)
  {
    return std::min(n_cells, (block + 1) * coloring.cells_per_block);
  }

  /// Compares all pairs at both levels.
  void
  expect_valid(const Space &space, const Coloring &coloring)
  {
    const int n_cells = space.n_cells(), size = coloring.cells_per_block;
    const int n_blocks = (n_cells + size - 1) / size;
    ASSERT_EQ(coloring.block_start.front(), 0);
    ASSERT_EQ(coloring.block_start.back(), n_blocks);
    ASSERT_EQ(coloring.cell_color.size(), std::size_t(n_cells));
    ASSERT_EQ(std::set<int>(coloring.blocks.begin(), coloring.blocks.end()),
              [&] {
                std::set<int> all;
                for (int b = 0; b < n_blocks; ++b)
                  all.insert(b);
                return all;
              }());

    std::vector<std::set<int>> of_block, of_cell;
    for (int b = 0; b < n_blocks; ++b)
      of_block.push_back(
        dofs_of(space, b * size, end_of(coloring, b, n_cells)));
    for (int c = 0; c < n_cells; ++c)
      of_cell.push_back(dofs_of(space, c, c + 1));
    for (int color = 0; color < coloring.n_block_colors(); ++color)
      for (int a = coloring.block_start[color];
           a < coloring.block_start[color + 1]; ++a)
        for (int b = coloring.block_start[color]; b < a; ++b)
          ASSERT_TRUE(disjoint(of_block[coloring.blocks[a]],
                               of_block[coloring.blocks[b]]))
            << coloring.blocks[a] << " " << coloring.blocks[b];
    int largest = 0;
    for (int block = 0; block < n_blocks; ++block)
      for (int a = block * size; a < end_of(coloring, block, n_cells); ++a)
        {
          largest = std::max<int>(largest, coloring.cell_color[a]);
          for (int b = block * size; b < a; ++b)
            ASSERT_TRUE(coloring.cell_color[a] != coloring.cell_color[b] ||
                        disjoint(of_cell[a], of_cell[b]))
              << a << " " << b;
        }
    EXPECT_EQ(coloring.n_cell_colors, largest + 1);
  }

  /// Returns `n` cells around one vertex.
  Connectivity
  fan(const int n)
  {
    constexpr double pi = 3.14159265358979323846;
    test::QuadMesh mesh;
    std::vector<int> ring;
    for (int k = 0; k < 2 * n; ++k)
      {
        ring.push_back(k);
        mesh.vertices.push_back({std::cos(k * pi / n), std::sin(k * pi / n)});
      }
    test::add_star(mesh, ring, {0, 0});
    return test::make_connectivity(mesh, 1, true);
  }
} // namespace

TEST(Coloring, NoConflictsAtEitherLevel)
{
  for (const int p : {1, 2, 4})
    for (const auto &[n_x, n_y] : {std::pair(1, 1), std::pair(31, 1),
                                   std::pair(3, 11), std::pair(25, 40)})
      for (const int size : {1, 32, 128})
        for (const CellOrder order : test::cell_orders)
          {
            SCOPED_TRACE(std::to_string(p) + " " + std::to_string(n_x * n_y) +
                         " " + std::to_string(size));
            const Space space =
              build_space(test::generated_mesh(p, n_x, n_y, false),
                          "batch_interleaved", order);
            expect_valid(space, color(space, size));
          }
}

TEST(Coloring, UnstructuredMeshes)
{
  for (int p = 1; p <= 4; ++p)
    {
      const Space space = build_space(test::unstructured_mesh(p));
      expect_valid(space, color(space, 32));
      expect_valid(space, color(space, 1));
    }
}

TEST(Coloring, CellsOfARectangleNeedFourColours)
{
  const Space space = build_space(test::generated_mesh(2, 16, 16, false));
  EXPECT_EQ(color(space, 1).n_block_colors(), 4);
  EXPECT_EQ(color(space, 1).n_cell_colors, 1);
  EXPECT_EQ(color(space, 256).n_cell_colors, 4);
  EXPECT_EQ(color(space, 256).n_block_colors(), 1);
}

TEST(Coloring, MoreColoursThanAWordHasBits)
{
  for (const int n : {64, 65, 150, 256})
    {
      const Space space     = build_space(fan(n));
      const Coloring cells  = color(space, n);
      const Coloring blocks = color(space, 1);
      EXPECT_EQ(cells.n_cell_colors, n);
      EXPECT_EQ(blocks.n_block_colors(), n);
      expect_valid(space, cells);
      expect_valid(space, blocks);
    }
}

TEST(Coloring, Refusals)
{
  const Space space = build_space(fan(257));
  EXPECT_THROW(color(space, 257), MeshError);
  EXPECT_THROW(color(space, 0), ParameterError);
  EXPECT_EQ(color(space, 256).n_cell_colors, 256);
}

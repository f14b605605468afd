#include "cell_meshes.h"
#include "numberings.h"
#include "test.h"

#include <tessera/base/error.h>

#include <array>
#include <string>
#include <utility>

// Tests numberings by groups of nodes and by blocks of cells.
using namespace tessera;

namespace
{
  /// Returns the number of directions of the cell in which a node cannot move:
  /// 0 inside, dim at a vertex.
  int
  codimension(const CellType type, const int degree, int i)
  {
    const int dim = dimension(type);
    if (is_simplex(type))
      return i < n_vertices(type) ? dim : dim - 1;
    int result = 0;
    for (int d = 0; d < dim; ++d, i /= degree + 1)
      result += i % (degree + 1) == 0 || i % (degree + 1) == degree;
    return result;
  }

  /// Expects numbers of each place to ascend by one from the first touch of
  /// `nodes`, [n] (cell, local node), to the next.
  void
  expect_numbered_in_order(const Space &space,
                           const std::vector<std::pair<int, int>> &nodes)
  {
    std::vector<char> seen(space.n_local(), 0);
    int next[2] = {0, space.n_owned};
    for (const auto &[cell, i] : nodes)
      {
        const int dof = space.cell_dofs[space.dofs_per_cell() * cell + i];
        if (!seen[dof])
          {
            ASSERT_EQ(dof, next[dof >= space.n_owned]++) << cell << ' ' << i;
          }
        seen[dof] = 1;
      }
    EXPECT_EQ(next[0], space.n_owned);
    EXPECT_EQ(next[1], space.padding_index());
  }

  /// Returns nodes of cells first, ..., last - 1 from vertices to insides.
  void
  append_aligned(std::vector<std::pair<int, int>> &nodes, const Space &space,
                 const int first, const int last)
  {
    for (int kind = space.dim(); kind >= 0; --kind)
      for (int c = first; c < last; ++c)
        for (int i = 0; i < space.dofs_per_cell(); ++i)
          if (codimension(space.cell_type, space.degree, i) == kind)
            nodes.emplace_back(c, i);
  }

  /// Calls `f(mesh)` for all types and degrees, with about 3 x 11 x 4 boxes.
  template <class F>
  void
  for_each_cell_type(const F &f)
  {
    for (const CellType type : test::cell_types)
      for (int degree = 1; degree <= std::min(3, max_degree(type)); ++degree)
        for (const bool dirichlet : {false, true})
          {
            SCOPED_TRACE(to_string(type) + ", degree " +
                         std::to_string(degree));
            f(test::turned(
              test::generated_mesh(type, degree, 3, 11, 4, dirichlet)));
          }
  }

} // namespace

TEST(GroupedNumberings, AlignedHasVerticesThenEdgesThenFacesThenInsides)
{
  for_each_cell_type([](const Connectivity &mesh) {
    for (const CellOrder order : test::cell_orders)
      {
        const Space space = build_space(mesh, "aligned", order, 2);
        std::vector<std::pair<int, int>> nodes;
        append_aligned(nodes, space, 0, space.n_cells());
        expect_numbered_in_order(space, nodes);
        EXPECT_EQ(space.cell_order, order);
      }
  });
}

TEST(GroupedNumberings, BlockedAlignedIsAlignedInEveryBlock)
{
  for_each_cell_type([](const Connectivity &mesh) {
    const int n_x = 3, n_y = 11, side = 2;
    const Space space =
      build_space(mesh, "blocked_aligned", CellOrder::hilbert, side);
    EXPECT_EQ(space.cell_order, CellOrder::blocked);
    EXPECT_EQ(space.block_side, side);
    const int boxes  = n_x * n_y * (space.dim() == 3 ? 4 : 1);
    const auto block = [&](const int place) {
      const int box = space.mesh_cell[place] / (mesh.n_cells() / boxes);
      return std::array<int, 4>{place >= space.n_interior_cells,
                                box / n_x / n_y / side, box / n_x % n_y / side,
                                box % n_x / side};
    };
    std::vector<std::pair<int, int>> nodes;
    for (int first = 0, last = 0; first < space.n_cells(); first = last)
      {
        while (last < space.n_cells() && block(last) == block(first))
          ++last;
        if (last < space.n_cells())
          {
            EXPECT_LT(block(first), block(last));
          }
        append_aligned(nodes, space, first, last);
      }
    expect_numbered_in_order(space, nodes);
  });
}

TEST(GroupedNumberings, BlockedIsFirstTouchInTheBlockedOrder)
{
  for_each_cell_type([](const Connectivity &mesh) {
    const Space blocked = build_space(mesh, "blocked", CellOrder::mesh, 2);
    const Space touched =
      build_space(mesh, "cell_first_touch", CellOrder::blocked, 2);
    EXPECT_EQ(blocked.cell_order, CellOrder::blocked);
    EXPECT_EQ(blocked.mesh_cell, touched.mesh_cell);
    EXPECT_EQ(blocked.mesh_dof, touched.mesh_dof);
    EXPECT_EQ(blocked.cell_dofs, touched.cell_dofs);
  });
}

TEST(GroupedNumberings, BlockSidesThatAreNotLegal)
{
  const Connectivity mesh = test::generated_mesh(1, 4, 5);
  const auto refused      = [&](const int side, const std::string &sentence) {
    try
      {
        build_space(mesh, "blocked", CellOrder::mesh, side);
        FAIL() << "accepted " << side;
      }
    catch (const ParameterError &error)
      {
        EXPECT_EQ(error.what(), sentence);
      }
  };
  refused(0, "The side of a block is 0 cells, legal are 1 to 1024.");
  refused(-3, "The side of a block is -3 cells, legal are 1 to 1024.");
  refused(1025, "The side of a block is 1025 cells, legal are 1 to 1024.");
  for (const int side : {1, 1024})
    EXPECT_EQ(build_space(mesh, "blocked", CellOrder::mesh, side).block_side,
              side);
}

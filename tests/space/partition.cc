#include "exchange.h"
#include "hanging_mesh.h"
#include "meshes.h"
#include "numberings.h"
#include "test.h"

#include <tessera/base/error.h>
#include <tessera/space/partition.h>

#include <set>

using namespace tessera;

namespace
{
  /// Returns parts that interlock: neither connected nor in the order of cells.
  std::vector<int>
  scattered(const Connectivity &mesh, const int n_parts)
  {
    std::vector<int> part(mesh.n_cells());
    for (std::size_t c = 0; c < part.size(); ++c)
      part[c] = (c / 5 * 7 + c % 2) % n_parts;
    return part;
  }

  template <class F>
  void
  for_each_partition(const F &f)
  {
    for (int p = 1; p <= 4; ++p)
      for (const int n_parts : {1, 2, 5})
        for (const Connectivity &mesh :
             {test::generated_mesh(p, 3, 11), test::unstructured_mesh(p)})
          for (int k = 0; k < test::n_numberings; ++k)
            {
              const std::string numbering = test::numberings[k];
              SCOPED_TRACE(std::to_string(p) + " " + std::to_string(n_parts) +
                           " " + numbering);
              const std::vector<int> part = scattered(mesh, n_parts);
              f(mesh, part,
                partition(mesh, part, n_parts, numbering,
                          test::cell_orders[k % 3], 2));
            }
  }
} // namespace

TEST(Partition, PartsTogetherAreTheMesh)
{
  for_each_partition([](const Connectivity &mesh, const std::vector<int> &part,
                        const std::vector<Part> &parts) {
    std::vector<int> times_owned(mesh.n_dofs, 0), cell_seen(mesh.n_cells(), 0);
    const int n = mesh.dofs_per_cell();
    for (std::size_t self = 0; self < parts.size(); ++self)
      {
        const Space &space = parts[self].space;
        for (int i = 0; i < space.n_owned; ++i)
          ++times_owned[space.mesh_dof[i]];
        for (int c = 0; c < space.n_cells(); ++c)
          {
            const int from = space.mesh_cell[c];
            ++cell_seen[from];
            ASSERT_EQ(part[from], int(self));
            for (int i = 0; i < n; ++i)
              {
                ASSERT_EQ(space.mesh_dof[space.cell_dofs[n * c + i]],
                          mesh.cell_dofs[n * from + i]);
                ASSERT_EQ(test::node_position(space, c, i),
                          test::node_position(mesh, from, i));
              }
          }
      }
    for (int dof = 0; dof < mesh.n_dofs; ++dof)
      ASSERT_EQ(times_owned[dof], mesh.constrained[dof] ? 0 : 1);
    for (const int times : cell_seen)
      ASSERT_EQ(times, 1);
  });
}

TEST(Partition, TailIsGhostsThenConstrained)
{
  for_each_partition([](const Connectivity &mesh, const std::vector<int> &part,
                        const std::vector<Part> &parts) {
    std::vector<int> owner(mesh.n_dofs, int(parts.size()));
    for (int c = 0; c < mesh.n_cells(); ++c)
      for (int i = 0; i < mesh.dofs_per_cell(); ++i)
        {
          int &lowest = owner[mesh.cell_dofs[mesh.dofs_per_cell() * c + i]];
          lowest      = std::min(lowest, part[c]);
        }
    for (std::size_t self = 0; self < parts.size(); ++self)
      {
        const Space &space = parts[self].space;
        ASSERT_EQ(space.mesh_dof.size(), std::size_t(space.padding_index()));
        for (int i = 0; i < space.padding_index(); ++i)
          {
            const int dof  = space.mesh_dof[i];
            const bool own = owner[dof] == int(self);
            ASSERT_EQ(mesh.constrained[dof] != 0, i >= space.n_stored());
            ASSERT_TRUE(mesh.constrained[dof] || own == (i < space.n_owned));
          }
        for (int c = 0; c < space.n_cells(); ++c)
          {
            const auto first =
              space.cell_dofs.begin() + space.dofs_per_cell() * c;
            ASSERT_EQ(*std::max_element(first, first + space.dofs_per_cell()) <
                        space.n_owned,
                      c < space.n_interior_cells);
          }
      }
  });
}

TEST(Partition, PlansFindEveryGhostAtItsOwner)
{
  for_each_partition([](const Connectivity &, const std::vector<int> &,
                        const std::vector<Part> &parts) {
    for (std::size_t self = 0; self < parts.size(); ++self)
      {
        const Space &space = parts[self].space;
        std::set<int> filled;
        int previous = -1;
        for (const GhostPlan &plan : parts[self].plans)
          {
            EXPECT_GT(plan.neighbour, previous);
            previous                     = plan.neighbour;
            const Space &owner           = parts[plan.neighbour].space;
            const std::vector<int> owned = test::indices_at_owner(parts, plan);
            ASSERT_FALSE(plan.tail_index.empty());
            ASSERT_EQ(plan.tail_index.size(), owned.size());
            for (std::size_t k = 0; k < plan.tail_index.size(); ++k)
              {
                filled.insert(plan.tail_index[k]);
                ASSERT_LT(owned[k], owner.n_owned);
                ASSERT_EQ(space.mesh_dof[space.n_owned + plan.tail_index[k]],
                          owner.mesh_dof[owned[k]]);
              }
          }
        ASSERT_EQ(filled.size(), std::size_t(space.n_ghosts));
      }
  });
}

TEST(Partition, OnePartIsTheWholeSpace)
{
  const Connectivity mesh = test::unstructured_mesh(3);
  for (const std::string &numbering : test::numberings)
    {
      // Cuthill and McKee break ties by indices, which are others in the part.
      if (numbering == "cuthill_mckee")
        continue;
      SCOPED_TRACE(numbering);
      const Space whole = build_space(mesh, numbering);
      const auto parts =
        partition(mesh, std::vector<int>(mesh.n_cells(), 0), 1, numbering);
      EXPECT_EQ(parts[0].space.cell_dofs, whole.cell_dofs);
      EXPECT_EQ(parts[0].space.mesh_dof, whole.mesh_dof);
      EXPECT_EQ(parts[0].space.vertices, whole.vertices);
      EXPECT_EQ(parts[0].space.mesh_cell, whole.mesh_cell);
      EXPECT_TRUE(parts[0].plans.empty());
    }
}

// What hanging nodes of a part follow from is a ghost, if it is not owned.
TEST(Partition, DistantGhostsAreBehindOthers)
{
  const test::HangingMesh by_hand =
    test::hanging_mesh(CellType::quadrilateral, 2, 3);
  const Connectivity &mesh = by_hand.mesh;
  std::vector<int> part(mesh.n_cells(), 1);
  std::fill_n(part.begin(), by_hand.n_coarse_cells, 0);
  for (const std::string &numbering : test::numberings)
    {
      const std::vector<Part> parts = partition(mesh, part, 2, numbering);
      EXPECT_EQ(parts[0].space.n_ghosts + parts[0].space.n_hanging, 0);
      const Space &space = parts[1].space;
      EXPECT_GT(space.n_hanging, 0);
      EXPECT_GT(space.n_ghosts, 0);
      for (const int dof : space.cell_dofs) // no cell has a ghost
        EXPECT_FALSE(dof >= space.n_owned &&
                     dof < space.n_owned + space.n_ghosts);
      for (const int source : space.hanging.source)
        EXPECT_TRUE(source >= space.n_owned &&
                    source < space.n_owned + space.n_ghosts);
    }
}

namespace
{
  /// What a process knows of a mesh: the cells with `known`, and nodes and
  /// vertices of these alone, in another order than in the mesh.
  struct Piece
  {
    Connectivity mesh;
    std::vector<int> cells, nodes; ///< of the mesh

    Piece(const Connectivity &whole, const std::vector<char> &known)
    {
      for (int c = whole.n_cells(); c-- > 0;)
        if (known[c])
          cells.push_back(c);
      mesh.cell_type    = whole.cell_type;
      mesh.degree       = whole.degree;
      mesh.n_components = whole.n_components;
      mesh.geometry     = whole.geometry;
      std::vector<int> vertices;
      pick(mesh.cell_dofs, nodes, whole.cell_dofs, whole.dofs_per_cell());
      pick(mesh.cell_vertices, vertices, whole.cell_vertices,
           whole.vertices_per_cell());
      mesh.n_dofs     = static_cast<int>(nodes.size());
      mesh.n_vertices = static_cast<int>(vertices.size());
      for (const int vertex : vertices)
        for (int d = 0; d < whole.dim(); ++d)
          mesh.vertices.push_back(whole.vertices[vertex * whole.dim() + d]);
      for (const int node : nodes)
        mesh.constrained.push_back(whole.constrained[node]);
      const auto moved = [&](const int node) {
        return static_cast<int>(std::find(nodes.begin(), nodes.end(), node) -
                                nodes.begin());
      };
      for (int k = 0; k < whole.hanging.size(); ++k)
        if (moved(whole.hanging.entry[k]) < mesh.n_dofs)
          {
            mesh.hanging.begin(moved(whole.hanging.entry[k]));
            for (auto m = whole.hanging.start[k];
                 m < whole.hanging.start[k + 1]; ++m)
              mesh.hanging.add(moved(whole.hanging.source[m]),
                               whole.hanging.weight[m]);
          }
    }

    void
    pick(std::vector<int> &indices, std::vector<int> &numbers,
         const std::vector<int> &of_whole, const int n) const
    {
      for (const int cell : cells)
        for (int i = 0; i < n; ++i)
          {
            const int number = of_whole[cell * n + i];
            auto found = std::find(numbers.begin(), numbers.end(), number);
            if (found == numbers.end())
              found = numbers.insert(found, number);
            indices.push_back(static_cast<int>(found - numbers.begin()));
          }
    }
  };

  /// Says where every entry of a vector of a part stands in the mesh, and what
  /// the part tells others.
  void
  expect_same_part(const Part &part, const Part &of_piece, const Piece &piece)
  {
    const Space &a = part.space, &b = of_piece.space;
    ASSERT_EQ(a.n_owned, b.n_owned);
    ASSERT_EQ(a.n_ghosts, b.n_ghosts);
    ASSERT_EQ(a.n_hanging, b.n_hanging);
    ASSERT_EQ(a.n_interior_cells, b.n_interior_cells);
    std::set<int> cells(a.mesh_cell.begin(), a.mesh_cell.end());
    for (const int cell : b.mesh_cell)
      ASSERT_EQ(cells.count(piece.cells[cell]), 1u);
    // Sections have the same nodes, in other orders.
    const auto section = [](const Space &space, const int first, const int n,
                            const std::vector<int> &nodes) {
      std::set<int> result;
      for (int i = first; i < first + n; ++i)
        result.insert(nodes.empty() ? space.mesh_dof[i]
                                    : nodes[space.mesh_dof[i]]);
      return result;
    };
    for (const auto &[first, n] :
         {std::pair{0, a.n_owned}, std::pair{a.n_owned, a.n_ghosts},
          std::pair{a.n_owned + a.n_ghosts, a.n_hanging},
          std::pair{a.n_stored(), a.n_constrained}})
      ASSERT_EQ(section(a, first, n, {}), section(b, first, n, piece.nodes));
    ASSERT_EQ(std::set(part.owned.begin(), part.owned.end()),
              std::set(of_piece.owned.begin(), of_piece.owned.end()));
    ASSERT_EQ(part.plans.size(), of_piece.plans.size());
    for (std::size_t k = 0; k < part.plans.size(); ++k)
      {
        const GhostPlan &plan = part.plans[k], &other = of_piece.plans[k];
        ASSERT_EQ(plan.neighbour, other.neighbour);
        ASSERT_EQ(std::set(plan.id.begin(), plan.id.end()),
                  std::set(other.id.begin(), other.id.end()));
        for (std::size_t i = 0; i < other.id.size(); ++i)
          ASSERT_EQ(piece.nodes[b.mesh_dof[b.n_owned + other.tail_index[i]]] *
                        7 +
                      (std::int64_t(1) << 40),
                    other.id[i]);
      }
  }
} // namespace

// A process needs its own cells and those around them, under any numbers, and
// ids beyond 32 bits.
TEST(Partition, APieceOfTheMeshMakesTheSamePart)
{
  const test::HangingMesh by_hand =
    test::hanging_mesh(CellType::quadrilateral, 2, 3);
  for (const Connectivity &mesh :
       {test::unstructured_mesh(1), test::unstructured_mesh(3), by_hand.mesh})
    for (const int n_parts : {2, 5})
      {
        const std::vector<int> part = scattered(mesh, n_parts);
        MeshNodes nodes             = nodes_of(mesh, part);
        for (std::int64_t &id : nodes.id)
          id = id * 7 + (std::int64_t(1) << 40);
        const std::size_t n = mesh.dofs_per_cell();
        for (int self = 0; self < n_parts; ++self)
          {
            // Cells around the cells of the part, and cells around these.
            std::vector<char> local_cells(mesh.n_cells()), known;
            for (int c = 0; c < mesh.n_cells(); ++c)
              local_cells[c] = part[c] == self;
            known = local_cells;
            for (int layer = 0; layer < 2; ++layer)
              {
                std::set<int> touched;
                for (std::size_t k = 0; k < mesh.cell_dofs.size(); ++k)
                  if (known[k / n])
                    touched.insert(mesh.cell_dofs[k]);
                for (int k = 0; k < mesh.hanging.size(); ++k)
                  if (touched.count(mesh.hanging.entry[k]))
                    touched.insert(
                      mesh.hanging.source.begin() + mesh.hanging.start[k],
                      mesh.hanging.source.begin() + mesh.hanging.start[k + 1]);
                for (std::size_t k = 0; k < mesh.cell_dofs.size(); ++k)
                  if (touched.count(mesh.cell_dofs[k]))
                    known[k / n] = 1;
              }
            const Piece piece(mesh, known);
            std::vector<char> local_in_piece;
            MeshNodes of_piece;
            for (const int cell : piece.cells)
              local_in_piece.push_back(local_cells[cell]);
            for (const int node : piece.nodes)
              {
                of_piece.owner.push_back(nodes.owner[node]);
                of_piece.id.push_back(nodes.id[node]);
              }
            expect_same_part(
              make_part(mesh, local_cells, self, nodes),
              make_part(piece.mesh, local_in_piece, self, of_piece), piece);
          }
      }
}

TEST(Partition, NodesThatAreNotOwnedAreNotFound)
{
  const OwnedNodes nodes({std::int64_t(5) << 32, 3, 7});
  EXPECT_EQ(nodes.index(std::int64_t(5) << 32), 0);
  EXPECT_EQ(nodes.index(3), 1);
  EXPECT_THROW(nodes.index(5), MeshError);
}

TEST(Partition, BadPartsAreRefused)
{
  const Connectivity mesh = test::generated_mesh(2, 3, 3);
  EXPECT_THROW(partition(mesh, std::vector<int>(8, 0), 1), MeshError);
  EXPECT_THROW(partition(mesh, std::vector<int>(9, 2), 2), MeshError);
  EXPECT_THROW(partition(mesh, std::vector<int>(9, -1), 2), MeshError);
  EXPECT_THROW(partition(mesh, std::vector<int>(9, 0), 2), MeshError);
}

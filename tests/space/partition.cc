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
              const Numbering numbering = test::numberings[k];
              SCOPED_TRACE(std::to_string(p) + " " + std::to_string(n_parts) +
                           " " + to_string(numbering));
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
            previous           = plan.neighbour;
            const Space &owner = parts[plan.neighbour].space;
            ASSERT_FALSE(plan.tail_index.empty());
            ASSERT_EQ(plan.tail_index.size(), plan.owned_index.size());
            for (std::size_t k = 0; k < plan.tail_index.size(); ++k)
              {
                filled.insert(plan.tail_index[k]);
                ASSERT_LT(plan.owned_index[k], owner.n_owned);
                ASSERT_EQ(space.mesh_dof[space.n_owned + plan.tail_index[k]],
                          owner.mesh_dof[plan.owned_index[k]]);
              }
          }
        ASSERT_EQ(filled.size(), std::size_t(space.n_ghosts));
      }
  });
}

TEST(Partition, OnePartIsTheWholeSpace)
{
  const Connectivity mesh = test::unstructured_mesh(3);
  for (const Numbering numbering : test::numberings)
    {
      // Cuthill and McKee break ties by indices, which are others in the part.
      if (numbering == Numbering::cuthill_mckee)
        continue;
      SCOPED_TRACE(to_string(numbering));
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
  for (const Numbering numbering : test::numberings)
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

TEST(Partition, BadPartsAreRefused)
{
  const Connectivity mesh = test::generated_mesh(2, 3, 3);
  EXPECT_THROW(partition(mesh, std::vector<int>(8, 0), 1), MeshError);
  EXPECT_THROW(partition(mesh, std::vector<int>(9, 2), 2), MeshError);
  EXPECT_THROW(partition(mesh, std::vector<int>(9, -1), 2), MeshError);
  EXPECT_THROW(partition(mesh, std::vector<int>(9, 0), 2), MeshError);
}

#include "first_touch.h"
#include "numbering.h"

#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/base/sorted_positions.h>
#include <tessera/space/partition.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

namespace tessera
{
  namespace
  {
    using internal::entries_of;
    using internal::Place;

    void
    check(const Connectivity &mesh, const std::vector<int> &part,
          const int n_parts)
    {
      mesh.check();
      if (part.size() != std::size_t(mesh.n_cells()))
        throw MeshError("The mesh has " + std::to_string(mesh.n_cells()) +
                        " cells, but a part is given for " +
                        std::to_string(part.size()) + ".");
      for (std::size_t c = 0; c < part.size(); ++c)
        if (part[c] < 0 || part[c] >= n_parts)
          throw MeshError("Cell " + std::to_string(c) + " is in part " +
                          std::to_string(part[c]) + ", legal are 0 to " +
                          std::to_string(n_parts - 1) + ".");
    }

    /// The indices of some cells, renumbered by first touch.
    struct Renumbered
    {
      std::vector<int> indices; ///< [n_cells][n]: new indices
      std::vector<int> old;     ///< [n_used]: old index of each new one

      Renumbered(const std::vector<int> &from, const int n_indices, const int n,
                 const std::vector<int> &cells)
        : indices(entries_of(from, n, cells))
      {
        constexpr int n_batch = 1024;
        const int n_cells     = static_cast<int>(cells.size());
        std::vector<int> all(n), batches;
        std::iota(all.begin(), all.end(), 0);
        for (int c = 0; c < n_cells; c += n_batch)
          batches.push_back(c);
        batches.push_back(n_cells);
        const std::vector<int> number = internal::number_by_first_touch<1>(
          n_indices, from, internal::Visit{cells, batches, {all}}, {0},
          [](int) { return 0; });
        int n_used = 0;
#pragma omp parallel for schedule(static) reduction(max : n_used)
        for (int i = 0; i < n_indices; ++i)
          n_used = std::max(n_used, number[i] + 1);
        old = parallel_vector<int>(n_used);
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n_indices; ++i)
          if (number[i] >= 0)
            old[number[i]] = i;
#pragma omp parallel for schedule(static)
        for (std::size_t k = 0; k < indices.size(); ++k)
          indices[k] = number[indices[k]];
      }
    };

    /// Sets the constraints of the hanging nodes of a part and adds the nodes
    /// that these follow from to its cells' nodes, `nodes`.
    void
    set_hanging(Connectivity &local, const Connectivity &mesh,
                std::vector<int> &nodes)
    {
      const int n                  = mesh.n_components;
      const LinearConstraints &all = mesh.hanging;
      if (all.size() == 0)
        return;
      std::vector<int> known(mesh.n_dofs, -1);
      for (std::size_t i = 0; i < nodes.size(); ++i)
        known[nodes[i]] = static_cast<int>(i);
      for (int k = 0; k < all.size(); ++k)
        {
          if (known[all.entry[k] / n] < 0)
            continue;
          local.hanging.begin(known[all.entry[k] / n] * n + all.entry[k] % n);
          for (std::int64_t m = all.start[k]; m < all.start[k + 1]; ++m)
            {
              const int source = all.source[m];
              if (mesh.constrained[source])
                continue;
              int &node = known[source / n];
              if (node < 0)
                {
                  node = static_cast<int>(nodes.size());
                  nodes.push_back(source / n);
                }
              local.hanging.add(node * n + source % n, all.weight[m]);
            }
        }
    }

    /// Returns what a part receives, one list per neighbour.
    std::vector<GhostPlan>
    make_plans(const Space &space, const MeshNodes &nodes)
    {
      std::map<int, GhostPlan> plans;
      for (int k = 0; k < space.n_ghosts; ++k)
        {
          const int node  = space.mesh_dof[space.n_owned + k];
          GhostPlan &plan = plans[nodes.owner[node]];
          plan.neighbour  = nodes.owner[node];
          plan.tail_index.push_back(k);
          plan.id.push_back(nodes.id[node]);
        }
      std::vector<GhostPlan> result;
      for (auto &[neighbour, plan] : plans)
        result.push_back(std::move(plan));
      return result;
    }
  } // namespace


  OwnedNodes::OwnedNodes(const std::vector<std::int64_t> &ids)
  {
    const auto places = algorithms::sorted_positions({ids.begin(), ids.end()});
    sorted.resize(ids.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < sorted.size(); ++i)
      sorted[i] = {ids[places[i]], places[i]};
  }


  int
  OwnedNodes::index(const std::int64_t id) const
  {
    const auto found =
      std::lower_bound(sorted.begin(), sorted.end(), std::make_pair(id, 0));
    if (found == sorted.end() || found->first != id)
      throw MeshError("The node " + std::to_string(id) +
                      " of the mesh is not owned where it is asked for.");
    return found->second;
  }


  MeshNodes
  nodes_of(const Connectivity &mesh, const std::vector<int> &part)
  {
    constexpr int none = std::numeric_limits<int>::max();
    MeshNodes nodes{std::vector<int>(mesh.n_dofs, none),
                    std::vector<std::int64_t>(mesh.n_dofs)};
    const std::size_t n = mesh.dofs_per_cell();
    for (std::size_t k = 0; k < mesh.cell_dofs.size(); ++k)
      {
        int &lowest = nodes.owner[mesh.cell_dofs[k]];
        lowest      = std::min(lowest, part[k / n]);
      }
    const auto n_unused =
      std::count(nodes.owner.begin(), nodes.owner.end(), none);
    if (n_unused > 0)
      throw MeshError("The mesh has " + std::to_string(mesh.n_dofs) +
                      " degrees of freedom, but " + std::to_string(n_unused) +
                      " of them belong to no cell.");
    std::iota(nodes.id.begin(), nodes.id.end(), std::int64_t(0));
    return nodes;
  }


  Part
  make_part(const Connectivity &mesh, const std::vector<char> &local_cells,
            const int self, const MeshNodes &nodes,
            const std::string &numbering, const CellOrder cell_order,
            const int block_side)
  {
    std::vector<int> cells;
    for (std::size_t c = 0; c < local_cells.size(); ++c)
      if (local_cells[c] != 0)
        cells.push_back(static_cast<int>(c));
    if (cells.empty())
      throw MeshError("Part " + std::to_string(self) +
                      " of the mesh has no cells.");

    Renumbered dofs(mesh.cell_dofs, mesh.n_dofs, mesh.dofs_per_cell(), cells);
    Renumbered vertices(mesh.cell_vertices, mesh.n_vertices,
                        mesh.vertices_per_cell(), cells);
    Connectivity local;
    local.cell_type     = mesh.cell_type;
    local.degree        = mesh.degree;
    local.geometry      = mesh.geometry;
    local.n_components  = mesh.n_components;
    local.n_vertices    = static_cast<int>(vertices.old.size());
    local.cell_dofs     = std::move(dofs.indices);
    local.cell_vertices = std::move(vertices.indices);
    local.vertices      = entries_of(mesh.vertices, mesh.dim(), vertices.old);
    set_hanging(local, mesh, dofs.old);
    local.n_dofs        = static_cast<int>(dofs.old.size());
    const std::size_t n = local_cells.size();
    local.jacobians =
      entries_of(mesh.jacobians, mesh.jacobians.size() / n, cells);
    local.points = entries_of(mesh.points, mesh.points.size() / n, cells);
    local.constrained =
      entries_of(mesh.constrained, mesh.n_components, dofs.old);
    local.check();

    std::vector<Place> place = internal::places(local);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < place.size(); ++i)
      if (place[i] == Place::owned && nodes.owner[dofs.old[i]] != self)
        place[i] = Place::ghost;
    Part part;
    Space &space = part.space;
    space = internal::number(local, place, numbering, cell_order, block_side);
    space.mesh_cell = entries_of(cells, 1, space.mesh_cell);
    space.mesh_dof  = entries_of(dofs.old, 1, space.mesh_dof);
    part.owned      = parallel_vector<std::int64_t>(space.n_owned);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < space.n_owned; ++i)
      part.owned[i] = nodes.id[space.mesh_dof[i]];
    part.plans = make_plans(space, nodes);
    return part;
  }


  std::vector<Part>
  partition(const Connectivity &mesh, const std::vector<int> &part,
            const int n_parts, const std::string &numbering,
            const CellOrder cell_order, const int block_side)
  {
    check(mesh, part, n_parts);
    const MeshNodes nodes = nodes_of(mesh, part);
    std::vector<Part> parts;
    std::vector<char> local_cells(part.size());
    for (int self = 0; self < n_parts; ++self)
      {
        std::transform(part.begin(), part.end(), local_cells.begin(),
                       [self](const int p) { return p == self; });
        parts.push_back(make_part(mesh, local_cells, self, nodes, numbering,
                                  cell_order, block_side));
      }
    return parts;
  }
} // namespace tessera

#include "numbering.h"

#include <tessera/base/error.h>
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

    /// Returns the entries of some cells of [n_cells][n_entries].
    std::vector<double>
    part_of(const std::vector<double> &values, const std::size_t n_cells,
            const std::vector<int> &cells)
    {
      const std::size_t n = values.size() / n_cells;
      std::vector<double> result;
      result.reserve(n * cells.size());
      for (const int cell : cells)
        result.insert(result.end(), values.begin() + n * cell,
                      values.begin() + n * (cell + 1));
      return result;
    }

    /// The indices of some cells, renumbered by first touch. `known` is -1 for
    /// every index, before and after.
    struct Renumbered
    {
      std::vector<int> indices; ///< [n_cells][n]: new indices
      std::vector<int> old;     ///< [n_used]: old index of each new one

      Renumbered(const std::vector<int> &from, const int n,
                 const std::vector<int> &cells, std::vector<int> &known)
      {
        indices.reserve(n * cells.size());
        for (const int cell : cells)
          for (int i = 0; i < n; ++i)
            {
              const int index = from[std::size_t(n) * cell + i];
              if (known[index] < 0)
                {
                  known[index] = static_cast<int>(old.size());
                  old.push_back(index);
                }
              indices.push_back(known[index]);
            }
        for (const int index : old)
          known[index] = -1;
      }
    };

    /// Sets the constraints of the hanging nodes of a part and adds the nodes
    /// that these follow from to its cells' nodes, `nodes`. `known` is -1 for
    /// every node, before and after.
    void
    set_hanging(Connectivity &local, const Connectivity &mesh,
                std::vector<int> &nodes, std::vector<int> &known)
    {
      const int n                  = mesh.n_components;
      const LinearConstraints &all = mesh.hanging;
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
      for (const int node : nodes)
        known[node] = -1;
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

    std::vector<int> known(std::max(mesh.n_dofs, mesh.n_vertices), -1);
    Renumbered dofs(mesh.cell_dofs, mesh.dofs_per_cell(), cells, known);
    Renumbered vertices(mesh.cell_vertices, mesh.vertices_per_cell(), cells,
                        known);
    Connectivity local;
    local.cell_type       = mesh.cell_type;
    local.degree          = mesh.degree;
    local.geometry        = mesh.geometry;
    local.n_components    = mesh.n_components;
    local.n_vertices      = static_cast<int>(vertices.old.size());
    local.cell_dofs       = std::move(dofs.indices);
    local.cell_vertices   = std::move(vertices.indices);
    const std::size_t dim = mesh.dim();
    for (const int vertex : vertices.old)
      local.vertices.insert(local.vertices.end(),
                            mesh.vertices.begin() + dim * vertex,
                            mesh.vertices.begin() + dim * (vertex + 1));
    set_hanging(local, mesh, dofs.old, known);
    local.n_dofs        = static_cast<int>(dofs.old.size());
    local.jacobians     = part_of(mesh.jacobians, local_cells.size(), cells);
    local.points        = part_of(mesh.points, local_cells.size(), cells);
    const std::size_t n = mesh.n_components;
    for (const int dof : dofs.old)
      local.constrained.insert(local.constrained.end(),
                               mesh.constrained.begin() + n * dof,
                               mesh.constrained.begin() + n * (dof + 1));
    local.check();

    std::vector<Place> place = internal::places(local);
    for (std::size_t i = 0; i < place.size(); ++i)
      if (place[i] == Place::owned && nodes.owner[dofs.old[i]] != self)
        place[i] = Place::ghost;
    Part part;
    Space &space = part.space;
    space = internal::number(local, place, numbering, cell_order, block_side);
    for (int &cell : space.mesh_cell)
      cell = cells[cell];
    for (int &dof : space.mesh_dof)
      dof = dofs.old[dof];
    for (int i = 0; i < space.n_owned; ++i)
      part.owned.push_back(nodes.id[space.mesh_dof[i]]);
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

#include "numbering.h"

#include <tessera/base/error.h>
#include <tessera/space/partition.h>

#include <algorithm>
#include <cstddef>
#include <limits>
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
      std::vector<char> has_cells(std::max(n_parts, 0), 0);
      for (std::size_t c = 0; c < part.size(); ++c)
        {
          if (part[c] < 0 || part[c] >= n_parts)
            throw MeshError("Cell " + std::to_string(c) + " is in part " +
                            std::to_string(part[c]) + ", legal are 0 to " +
                            std::to_string(n_parts - 1) + ".");
          has_cells[part[c]] = 1;
        }
      const auto empty = std::find(has_cells.begin(), has_cells.end(), 0);
      if (empty != has_cells.end())
        throw MeshError("Part " + std::to_string(empty - has_cells.begin()) +
                        " of " + std::to_string(n_parts) + " has no cells.");
    }

    /// Returns the entries of some cells of [n_cells][n_entries].
    std::vector<double>
    part_of(const std::vector<double> &values, const std::size_t n_cells,
            const int *const first, const int *const last)
    {
      const std::size_t n = values.size() / n_cells;
      std::vector<double> result;
      for (const int *cell = first; cell != last; ++cell)
        result.insert(result.end(), values.begin() + n * *cell,
                      values.begin() + n * (*cell + 1));
      return result;
    }

    /// Returns, for every degree of freedom, the lowest part among its cells.
    std::vector<int>
    find_owners(const Connectivity &mesh, const std::vector<int> &part)
    {
      std::vector<int> owner(mesh.n_dofs, std::numeric_limits<int>::max());
      const std::size_t n = mesh.dofs_per_cell();
      for (std::size_t k = 0; k < mesh.cell_dofs.size(); ++k)
        {
          int &lowest = owner[mesh.cell_dofs[k]];
          lowest      = std::min(lowest, part[k / n]);
        }
      const auto n_unused =
        std::count(owner.begin(), owner.end(), std::numeric_limits<int>::max());
      if (n_unused > 0)
        throw MeshError("The mesh has " + std::to_string(mesh.n_dofs) +
                        " degrees of freedom, but " + std::to_string(n_unused) +
                        " of them belong to no cell.");
      return owner;
    }

    /// The indices of some cells, renumbered by first touch. `known` is -1 for
    /// every index, before and after.
    struct Renumbered
    {
      std::vector<int> indices; ///< [n_cells][n]: new indices
      std::vector<int> old;     ///< [n_used]: old index of each new one

      Renumbered(const std::vector<int> &from, const int n,
                 const int *const first_cell, const int *const last_cell,
                 std::vector<int> &known)
      {
        indices.reserve(std::size_t(n) * (last_cell - first_cell));
        for (const int *cell = first_cell; cell != last_cell; ++cell)
          for (int i = 0; i < n; ++i)
            {
              const int index = from[std::size_t(n) * *cell + i];
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
    /// that these follow from to those of its cells, `nodes`. `known` is -1 for
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

    /// Returns what a part receives, one list per neighbour. `position` is the
    /// owned index of a degree of freedom of the mesh at its owner.
    std::vector<GhostPlan>
    make_plans(const Space &space, const std::vector<int> &owner,
               const std::vector<int> &position, const int n_parts)
    {
      std::vector<GhostPlan> plans(n_parts);
      const int first = space.n_owned;
      for (int k = 0; k < space.n_ghosts; ++k)
        {
          const int dof   = space.mesh_dof[first + k];
          GhostPlan &plan = plans[owner[dof]];
          plan.neighbour  = owner[dof];
          plan.tail_index.push_back(k);
          plan.owned_index.push_back(position[dof]);
        }
      plans.erase(std::remove_if(plans.begin(), plans.end(),
                                 [](const GhostPlan &plan) {
                                   return plan.tail_index.empty();
                                 }),
                  plans.end());
      return plans;
    }
  } // namespace


  std::vector<Part>
  partition(const Connectivity &mesh, const std::vector<int> &part,
            const int n_parts, const Numbering numbering,
            const CellOrder cell_order, const int block_side)
  {
    check(mesh, part, n_parts);
    const std::vector<int> owner     = find_owners(mesh, part);
    const std::vector<Place> of_mesh = internal::places(mesh);

    // the cells by part, in the order of the mesh
    std::vector<int> start(n_parts + 1, 0), cells(part.size());
    for (const int p : part)
      ++start[p + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<int> next = start;
    for (std::size_t c = 0; c < part.size(); ++c)
      cells[next[part[c]]++] = static_cast<int>(c);

    const std::size_t dim = mesh.dim();
    std::vector<Part> parts(n_parts);
    std::vector<int> known(std::max(mesh.n_dofs, mesh.n_vertices), -1);
    std::vector<int> position(mesh.n_dofs, -1);
    for (int self = 0; self < n_parts; ++self)
      {
        const int *const first = cells.data() + start[self];
        const int *const last  = cells.data() + start[self + 1];
        Renumbered dofs(mesh.cell_dofs, mesh.dofs_per_cell(), first, last,
                        known);
        Renumbered vertices(mesh.cell_vertices, mesh.vertices_per_cell(), first,
                            last, known);

        Connectivity local;
        local.cell_type     = mesh.cell_type;
        local.degree        = mesh.degree;
        local.geometry      = mesh.geometry;
        local.n_vertices    = static_cast<int>(vertices.old.size());
        local.cell_dofs     = std::move(dofs.indices);
        local.cell_vertices = std::move(vertices.indices);
        for (const int vertex : vertices.old)
          for (std::size_t d = 0; d < dim; ++d)
            local.vertices.push_back(mesh.vertices[dim * vertex + d]);
        local.n_components = mesh.n_components;
        set_hanging(local, mesh, dofs.old, known);
        local.n_dofs    = static_cast<int>(dofs.old.size());
        local.jacobians = part_of(mesh.jacobians, part.size(), first, last);
        local.points    = part_of(mesh.points, part.size(), first, last);
        std::vector<Place> place;
        place.reserve(dofs.old.size());
        for (const int dof : dofs.old)
          {
            for (int c = 0; c < mesh.n_components; ++c)
              local.constrained.push_back(
                mesh.constrained[std::size_t(dof) * mesh.n_components + c]);
            place.push_back(of_mesh[dof] == Place::owned && owner[dof] != self
                              ? Place::ghost
                              : of_mesh[dof]);
          }

        Space &space = parts[self].space;
        space =
          internal::number(local, place, numbering, cell_order, block_side);
        for (int &cell : space.mesh_cell)
          cell = first[cell];
        for (int &dof : space.mesh_dof)
          dof = dofs.old[dof];
        for (int i = 0; i < space.n_owned; ++i)
          position[space.mesh_dof[i]] = i;
      }
    for (Part &each : parts)
      each.plans = make_plans(each.space, owner, position, n_parts);
    return parts;
  }
} // namespace tessera

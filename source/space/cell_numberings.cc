#include "first_touch.h"
#include "numbering.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

// Numberings in the order in which cells meet nodes.
namespace tessera::internal
{
  namespace
  {
    using Groups = std::vector<std::vector<int>>; // of local nodes

    /// Returns the codimension of node i: 0 inside the cell, dim at a vertex.
    int
    codimension(const CellType type, const int degree, int i)
    {
      if (is_simplex(type))
        return dimension(type) - (i < n_vertices(type) ? 0 : 1);
      int result = 0;
      for (int d = 0; d < dimension(type); ++d, i /= degree + 1)
        result += i % (degree + 1) == 0 || i % (degree + 1) == degree;
      return result;
    }

    /// Returns local nodes by codimension, from 0 to dim or in reverse order.
    Groups
    nodes_by_codimension(const Connectivity &mesh, const bool insides_first)
    {
      const int dim = mesh.dim();
      Groups groups(dim + 1);
      for (int i = 0; i < n_nodes(mesh.cell_type, mesh.degree); ++i)
        {
          const int c = codimension(mesh.cell_type, mesh.degree, i);
          groups[insides_first ? c : dim - c].push_back(i);
        }
      return groups;
    }

    Groups
    one_by_one(const Groups &groups)
    {
      Groups result;
      for (const std::vector<int> &group : groups)
        for (const int i : group)
          result.push_back({i});
      return result;
    }

    /// Returns all local nodes as one group.
    Groups
    all_nodes(const Connectivity &mesh)
    {
      std::vector<int> nodes(n_nodes(mesh.cell_type, mesh.degree));
      std::iota(nodes.begin(), nodes.end(), 0);
      return {nodes};
    }

    /// Returns the first places of blocks; a block also ends with the interior.
    std::vector<int>
    blocks(const Space &space, const Connectivity &mesh)
    {
      const std::vector<std::uint64_t> key = block_keys(mesh, space.block_side);
      std::vector<int> first;
      for (int c = 0; c < space.n_cells(); ++c)
        if (c == 0 || c == space.n_interior_cells ||
            key[space.mesh_cell[c]] != key[space.mesh_cell[c - 1]])
          first.push_back(c);
      first.push_back(space.n_cells());
      return first;
    }

    /// Returns the codimension of every node, [n_dofs].
    std::vector<int>
    codimensions(const Connectivity &mesh)
    {
      const std::size_t n = mesh.dofs_per_cell();
      auto result         = parallel_vector<int>(mesh.n_dofs);
#pragma omp parallel for schedule(static)
      for (std::size_t k = 0; k < mesh.cell_dofs.size(); ++k)
        leave_larger(result[mesh.cell_dofs[k]],
                     codimension(mesh.cell_type, mesh.degree, int(k % n)));
      return result;
    }

    /// Numbers by first touch, section by section. If codimensions are given,
    /// each section is ordered by them, vertices first.
    std::vector<int>
    number_by_cells(const Connectivity &mesh, const std::vector<Place> &place,
                    const Visit &visit,
                    const std::vector<int> &codimension_of = {})
    {
      constexpr int n_groups = 4;
      const auto kind        = [&](const int dof) {
        const int group =
          codimension_of.empty() ? 0 : mesh.dim() - codimension_of[dof];
        return n_groups * int(place[dof]) + group;
      };
      std::array<int, n_places * n_groups + 1> start{};
      int *const count = start.data() + 1;
#pragma omp parallel for schedule(static) reduction(+ : count[:n_places * n_groups])
      for (int dof = 0; dof < mesh.n_dofs; ++dof)
        ++count[kind(dof)];
      std::partial_sum(start.begin(), start.end(), start.begin());
      return number_by_first_touch(mesh.n_dofs, mesh.cell_dofs, visit, start,
                                   kind);
    }

    /// Goes cell by cell through all of its nodes.
    std::vector<int>
    number_cell_by_cell(const Space &space, const Connectivity &mesh,
                        const std::vector<Place> &place)
    {
      return number_by_cells(
        mesh, place, {space.mesh_cell, equal_batches(space), all_nodes(mesh)});
    }

    NumberingDescriptor
    describe_batch_interleaved()
    {
      NumberingDescriptor d{
        "batch_interleaved",
        "one batch of 32 cells after the other; in a batch first cell "
        "interiors, then edges, then vertices, with the local index outermost "
        "and the cell innermost, so that neighbouring lanes touch neighbouring "
        "words",
        "Tessera"};
      d.goes_by_lanes = true;
      d.number        = [](const Space &space, const Connectivity &mesh,
                    const std::vector<Place> &place) {
        return number_by_cells(mesh, place,
                                      {space.mesh_cell, equal_batches(space),
                                one_by_one(nodes_by_codimension(mesh, true))});
      };
      return d;
    }

    NumberingDescriptor
    describe_cell_first_touch()
    {
      NumberingDescriptor d{"cell_first_touch",
                            "cell by cell: each degree of freedom is numbered "
                            "in the first cell that meets it",
                            "RegulyGiles2015, section 4.1"};
      d.number = number_cell_by_cell;
      return d;
    }

    NumberingDescriptor
    describe_aligned()
    {
      NumberingDescriptor d{
        "aligned",
        "first vertices, then nodes on edges, then on faces, then inside "
        "cells, each in the order in which cells meet them: rows of one length "
        "are adjacent",
        "RegulyGiles2015, section 10.4"};
      d.number = [](const Space &space, const Connectivity &mesh,
                    const std::vector<Place> &place) {
        return number_by_cells(
          mesh, place, {space.mesh_cell, equal_batches(space), all_nodes(mesh)},
          codimensions(mesh));
      };
      return d;
    }

    NumberingDescriptor
    describe_blocked()
    {
      NumberingDescriptor d{
        "blocked",
        "in the order in which cells meet them; the cells always have the "
        "order blocked, n by n (by n) close cells after each other",
        "RegulyGiles2015, section 10.4"};
      d.goes_by_blocks = true;
      d.number         = number_cell_by_cell;
      return d;
    }

    NumberingDescriptor
    describe_blocked_aligned()
    {
      NumberingDescriptor d{
        "blocked_aligned",
        "block by block, first vertices, then nodes on edges, then on faces, "
        "then inside cells; the cells always have the order blocked",
        "RegulyGiles2015, section 10.4"};
      d.goes_by_blocks = true;
      d.number         = [](const Space &space, const Connectivity &mesh,
                    const std::vector<Place> &place) {
        return number_by_cells(mesh, place,
                                       {space.mesh_cell, blocks(space, mesh),
                                nodes_by_codimension(mesh, false)});
      };
      return d;
    }

    const Registration<NumberingDescriptor> batch_interleaved_registration(
      describe_batch_interleaved);
    const Registration<NumberingDescriptor> cell_first_touch_registration(
      describe_cell_first_touch);
    const Registration<NumberingDescriptor> aligned_registration(
      describe_aligned);
    const Registration<NumberingDescriptor> blocked_registration(
      describe_blocked);
    const Registration<NumberingDescriptor> blocked_aligned_registration(
      describe_blocked_aligned);
  } // namespace
} // namespace tessera::internal

#include "numbering.h"

#include "first_touch.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/base/registry_definitions.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <numeric>

namespace tessera
{
  template class Registry<NumberingDescriptor>;

  std::vector<std::string>
  numbering_names()
  {
    std::vector<std::string> names;
    for (const auto &d : Registry<NumberingDescriptor>::all())
      names.push_back(d.name);
    return names;
  }

  const NumberingDescriptor &
  numbering_descriptor(const std::string &name)
  {
    return *std::next(Registry<NumberingDescriptor>::all().begin(),
                      index_of_name(name, numbering_names(), "numbering"));
  }

  bool
  goes_by_blocks(const std::string &numbering, const CellOrder cell_order)
  {
    return numbering_descriptor(numbering).goes_by_blocks ||
           cell_order == CellOrder::blocked;
  }

  std::vector<int>
  number_in_order(const Space &space, const Connectivity &mesh,
                  const std::vector<NodePlace> &place,
                  const std::vector<int> &order)
  {
    auto number = parallel_vector<int>(mesh.n_dofs, -1);
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < mesh.cell_dofs.size(); ++k)
      leave_larger(number[mesh.cell_dofs[k]], 0);
    std::array<int, internal::n_places> next = {
      0, space.n_owned, space.n_owned + space.n_ghosts, space.n_stored()};
    for (const int dof : order)
      if (number[dof] == 0)
        number[dof] = next[int(place[dof])]++;
    return number;
  }
} // namespace tessera


namespace tessera::internal
{
  namespace
  {
    std::vector<int>
    identity(const int n)
    {
      std::vector<int> numbers(n);
      std::iota(numbers.begin(), numbers.end(), 0);
      return numbers;
    }

    /// Returns to[n c + i] = number[from[n cells[c] + i]].
    std::vector<int>
    renumbered(const std::vector<int> &from, const std::vector<int> &cells,
               const std::vector<int> &number)
    {
      auto to             = parallel_vector<int>(from.size());
      const std::size_t n = from.size() / cells.size();
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < cells.size(); ++c)
        for (std::size_t i = 0; i < n; ++i)
          to[n * c + i] = number[from[n * cells[c] + i]];
      return to;
    }

    /// Moves the cells whose degrees of freedom are all owned to the front.
    /// Both kinds keep their order. Returns the number of these cells.
    int
    interior_first(std::vector<int> &cells, const Connectivity &mesh,
                   const std::vector<Place> &place)
    {
      const std::size_t n      = mesh.dofs_per_cell();
      constexpr int piece_size = 1 << 14;
      const int n_cells        = static_cast<int>(cells.size());
      const int n_pieces       = n_cells / piece_size + 1;
      const auto end           = [n_cells](const int piece) {
        return piece < n_cells / piece_size ? (piece + 1) * piece_size
                                                      : n_cells;
      };
      auto is_interior = parallel_vector<char>(n_cells);
      std::vector<int> place_of(n_pieces + 1, 0); // of interior cells
#pragma omp parallel for schedule(static)
      for (int piece = 0; piece < n_pieces; ++piece)
        for (int c = piece * piece_size; c < end(piece); ++c)
          {
            const int *const dofs = &mesh.cell_dofs[n * cells[c]];
            is_interior[c] = std::all_of(dofs, dofs + n, [&](const int dof) {
              return place[dof] == Place::owned;
            });
            place_of[piece + 1] += is_interior[c];
          }
      std::partial_sum(place_of.begin(), place_of.end(), place_of.begin());
      const int n_interior = place_of.back();
      auto sorted          = parallel_vector<int>(n_cells);
#pragma omp parallel for schedule(static)
      for (int piece = 0; piece < n_pieces; ++piece)
        {
          int interior = place_of[piece];
          int other    = n_interior + piece * piece_size - interior;
          for (int c = piece * piece_size; c < end(piece); ++c)
            sorted[is_interior[c] != 0 ? interior++ : other++] = cells[c];
        }
      cells.swap(sorted);
      return n_interior;
    }

    /// Numbers ghosts that no cell touches, from which hanging nodes follow,
    /// behind the others.
    void
    number_distant_ghosts(std::vector<int> &local, const Space &space,
                          const std::vector<Place> &place)
    {
      if (space.n_ghosts == 0)
        return;
      int next = space.n_owned + space.n_ghosts;
      for (std::size_t dof = local.size(); dof-- > 0;)
        if (local[dof] < 0 && place[dof] == Place::ghost)
          local[dof] = --next;
    }

    /// Numbers nodes and sets the counts, `cell_dofs`, `mesh_dof` and what is
    /// constrained.
    void
    number_dofs(Space &space, const Connectivity &mesh,
                const std::vector<Place> &place)
    {
      int count[n_places] = {};
#pragma omp parallel for schedule(static) reduction(+ : count[:n_places])
      for (std::size_t dof = 0; dof < place.size(); ++dof)
        ++count[int(place[dof])];
      space.n_owned       = count[int(Place::owned)];
      space.n_ghosts      = count[int(Place::ghost)];
      space.n_hanging     = count[int(Place::hanging)];
      space.n_constrained = count[int(Place::constrained)];

      std::vector<int> local =
        numbering_descriptor(space.numbering).number(space, mesh, place);
      number_distant_ghosts(local, space, place);
      space.mesh_dof  = parallel_vector<int>(mesh.n_dofs);
      int n_untouched = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_untouched)
      for (int dof = 0; dof < mesh.n_dofs; ++dof)
        if (local[dof] >= 0)
          space.mesh_dof[local[dof]] = dof;
        else
          ++n_untouched;
      if (n_untouched > 0)
        throw MeshError("The mesh has " + std::to_string(mesh.n_dofs) +
                        " degrees of freedom, but " +
                        std::to_string(n_untouched) +
                        " of them belong to no cell.");
      space.cell_dofs = renumbered(mesh.cell_dofs, space.mesh_cell, local);
      set_constraints(space, mesh, local);
    }

    /// Degree 1: gives each vertex the index of its degree of freedom.
    void
    vertices_as_dofs(Space &space, const Connectivity &mesh)
    {
      const std::size_t n_cells = space.mesh_cell.size(), dim = mesh.dim(),
                        nv   = mesh.vertices_per_cell();
      const auto vertices_of = [&](const std::size_t c) {
        return &mesh.cell_vertices[nv * space.mesh_cell[c]];
      };
      space.cell_vertices = parallel_vector<int>(space.cell_dofs.size());
      space.vertices = parallel_vector<double>(dim * space.mesh_dof.size());
      auto vertex_of = parallel_vector<int>(space.mesh_dof.size());
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < n_cells; ++c)
        {
          const int *const dofs     = &space.cell_dofs[nv * c];
          const int *const vertices = vertices_of(c);
          std::copy_n(dofs, nv, &space.cell_vertices[nv * c]);
          for (std::size_t v = 0; v < nv; ++v)
            leave_larger(vertex_of[dofs[v]], vertices[v]);
        }
      std::size_t wrong = n_cells;
#pragma omp parallel for schedule(static) reduction(min : wrong)
      for (std::size_t c = 0; c < n_cells; ++c)
        for (std::size_t v = 0; v < nv; ++v)
          if (vertex_of[space.cell_dofs[nv * c + v]] != vertices_of(c)[v])
            wrong = std::min(wrong, c);
      if (wrong < n_cells)
        {
          std::size_t v = 0;
          while (vertex_of[space.cell_dofs[nv * wrong + v]] ==
                 vertices_of(wrong)[v])
            ++v;
          const int dof = space.cell_dofs[nv * wrong + v];
          throw MeshError(
            "Degree of freedom " + std::to_string(space.mesh_dof[dof]) +
            " of degree 1 stands for the vertices " +
            std::to_string(vertices_of(wrong)[v]) + " and " +
            std::to_string(vertex_of[dof]) + ", but must stand for one alone.");
        }
#pragma omp parallel for schedule(static)
      for (std::size_t dof = 0; dof < space.mesh_dof.size(); ++dof)
        std::copy_n(&mesh.vertices[dim * vertex_of[dof]], dim,
                    &space.vertices[dim * dof]);
    }

    /// Other degrees: numbers vertices of cells by first touch.
    void
    number_vertices(Space &space, const Connectivity &mesh)
    {
      const std::size_t dim                = mesh.dim();
      const std::vector<int> nodes         = identity(mesh.vertices_per_cell());
      std::vector<std::vector<int>> groups = {nodes};
      if (numbering_descriptor(space.numbering).goes_by_lanes)
        {
          groups.clear();
          for (const int node : nodes)
            groups.push_back({node});
        }
      const Visit visit{space.mesh_cell, equal_batches(space), groups};
      const std::vector<int> local =
        number_by_first_touch(mesh.n_vertices, mesh.cell_vertices, visit,
                              std::array<int, 1>{}, [](int) { return 0; });
      const auto n_used =
        mesh.n_vertices - std::count(local.begin(), local.end(), -1);
      space.vertices = parallel_vector<double>(dim * n_used);
#pragma omp parallel for schedule(static)
      for (std::size_t v = 0; v < local.size(); ++v)
        if (local[v] >= 0)
          std::copy_n(&mesh.vertices[dim * v], dim,
                      &space.vertices[dim * local[v]]);
      space.cell_vertices =
        renumbered(mesh.cell_vertices, space.mesh_cell, local);
    }
  } // namespace


  std::vector<int>
  equal_batches(const Space &space)
  {
    std::vector<int> first;
    for (int c = 0; c < space.n_cells(); c += cells_per_batch)
      first.push_back(c);
    first.push_back(space.n_cells());
    return first;
  }


  Space
  number(const Connectivity &mesh, const std::vector<Place> &place,
         const std::string &numbering, const CellOrder cell_order,
         const int block_side)
  {
    if (block_side < 1 || block_side > max_block_side)
      throw ParameterError(
        "The side of a block is " + std::to_string(block_side) +
        " cells, legal are 1 to " + std::to_string(max_block_side) + ".");
    Space space;
    space.cell_type = mesh.cell_type;
    space.degree    = mesh.degree;
    space.geometry  = mesh.geometry;
    space.numbering = numbering;
    space.cell_order =
      goes_by_blocks(numbering, cell_order) ? CellOrder::blocked : cell_order;
    space.block_side       = block_side;
    space.mesh_cell        = order_cells(mesh, space.cell_order, block_side);
    space.n_interior_cells = interior_first(space.mesh_cell, mesh, place);
    number_dofs(space, mesh, place);
    if (mesh.degree == 1)
      vertices_as_dofs(space, mesh);
    else
      number_vertices(space, mesh);
    if (mesh.geometry == Geometry::quadrature)
      {
        const std::vector<int> &cells = space.mesh_cell;
        space.jacobians               = entries_of(
                        mesh.jacobians, mesh.jacobians.size() / cells.size(), cells);
        space.points =
          entries_of(mesh.points, mesh.points.size() / cells.size(), cells);
      }
    return space;
  }
} // namespace tessera::internal

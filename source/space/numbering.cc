#include "numbering.h"

#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tessera::internal
{
  namespace
  {
    /// Codimension of what node i lies in: 0 inside, dim at a vertex.
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

    /// Local nodes of a cell as `batch_interleaved` visits them: inside, on
    /// faces, on edges, at vertices.
    std::vector<int>
    interleaved_nodes(const CellType type, const int degree)
    {
      std::vector<int> nodes;
      for (int kind = 0; kind <= dimension(type); ++kind)
        for (int i = 0; i < n_nodes(type, degree); ++i)
          if (codimension(type, degree, i) == kind)
            nodes.push_back(i);
      return nodes;
    }

    /// Calls `visit(index)` for the entries of `cell_indices` [n_cells][n] of
    /// cells[first], ..., cells[last - 1] in the order of a numbering: cell by
    /// cell, or by batches of cells with the local index (in the order of
    /// `nodes`) outermost. `first` is a multiple of a batch.
    template <class Visit>
    void
    for_each_touch(const std::vector<int> &cell_indices,
                   const std::vector<int> &nodes, const std::vector<int> &cells,
                   const Numbering numbering, std::size_t first,
                   const std::size_t last, const Visit &visit)
    {
      const std::size_t n = nodes.size();
      const std::size_t batch =
        numbering == Numbering::batch_interleaved ? cells_per_batch : 1;
      for (; first < last; first += batch)
        {
          const std::size_t end = std::min(first + batch, last);
          for (const int i : nodes)
            for (std::size_t c = first; c < end; ++c)
              visit(cell_indices[n * cells[c] + i]);
        }
    }

    /// Of `value` and those that other threads leave at the same time.
    void
    leave_larger(int &largest, const int value)
    {
      int before = __atomic_load_n(&largest, __ATOMIC_RELAXED);
      while (before < value &&
             !__atomic_compare_exchange_n(&largest, &before, value, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    }

    /// Numbers indices in [0, n) where cells touch them first, in the order of
    /// `for_each_touch`; those of kind k count from start[k]. Returns the
    /// number of every index, -1 if no cell touches it.
    ///
    /// Pieces of the list of cells are worked on at the same time: an index
    /// belongs to the first piece that touches it, is numbered there from 0,
    /// and moved behind the indices of earlier pieces. The result does not
    /// depend on the pieces.
    template <int n_kinds, class Kind>
    std::vector<int>
    number_by_first_touch(const int n, const std::vector<int> &cell_indices,
                          const std::vector<int> &nodes,
                          const std::vector<int> &cells,
                          const Numbering numbering,
                          const std::array<int, n_kinds> &start,
                          const Kind &kind)
    {
      constexpr std::size_t piece_size = 128 * cells_per_batch;
      const int n_pieces =
        static_cast<int>((cells.size() + piece_size - 1) / piece_size);
      const auto for_piece = [&](const int piece, const auto &visit) {
        for_each_touch(cell_indices, nodes, cells, numbering,
                       piece * piece_size,
                       std::min(cells.size(), (piece + 1) * piece_size), visit);
      };

      // n_pieces - owner, so that 0 is nobody.
      auto owner = parallel_vector<int>(n);
#pragma omp parallel for schedule(static)
      for (int piece = 0; piece < n_pieces; ++piece)
        for_piece(piece, [&](const int index) {
          leave_larger(owner[index], n_pieces - piece);
        });

      auto number = parallel_vector<int>(n, -1);
      std::vector<std::array<int, n_kinds>> begin(n_pieces);
#pragma omp parallel for schedule(static)
      for (int piece = 0; piece < n_pieces; ++piece)
        {
          std::array<int, n_kinds> count{};
          for_piece(piece, [&](const int index) {
            if (owner[index] == n_pieces - piece && number[index] < 0)
              number[index] = count[kind(index)]++;
          });
          begin[piece] = count;
        }

      std::array<int, n_kinds> next = start;
      for (auto &of_piece : begin)
        for (int k = 0; k < n_kinds; ++k)
          next[k] += std::exchange(of_piece[k], next[k]);
#pragma omp parallel for schedule(static)
      for (int index = 0; index < n; ++index)
        if (number[index] >= 0)
          number[index] += begin[n_pieces - owner[index]][kind(index)];
      return number;
    }

    /// to[n c + i] = number[from[n cells[c] + i]].
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

    std::vector<int>
    identity(const int n)
    {
      std::vector<int> numbers(n);
      std::iota(numbers.begin(), numbers.end(), 0);
      return numbers;
    }

    /// Cells whose degrees of freedom are all owned, then the others, each in
    /// the given order. Returns the number of the former.
    int
    interior_first(std::vector<int> &cells, const Connectivity &mesh,
                   const std::vector<Place> &place)
    {
      const std::size_t n = mesh.dofs_per_cell();
      std::vector<char> is_interior(cells.size());
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < cells.size(); ++c)
        {
          const int *const dofs = &mesh.cell_dofs[n * c];
          is_interior[c] = std::all_of(dofs, dofs + n, [&](const int dof) {
            return place[dof] == Place::owned;
          });
        }
      const auto boundary =
        std::stable_partition(cells.begin(), cells.end(), [&](const int cell) {
          return is_interior[cell] != 0;
        });
      return static_cast<int>(boundary - cells.begin());
    }

    /// Numbers degrees of freedom and sets the counts, `cell_dofs` and
    /// `mesh_dof`.
    void
    number_dofs(Space &space, const Connectivity &mesh,
                const std::vector<Place> &place)
    {
      std::array<int, 3> count = {0, 0, 0};
      for (const Place p : place)
        ++count[int(p)];
      space.n_owned       = count[int(Place::owned)];
      space.n_constrained = count[int(Place::constrained)];
      space.n_ghosts      = count[int(Place::ghost)];

      const std::vector<int> local = number_by_first_touch<3>(
        mesh.n_dofs, mesh.cell_dofs,
        space.numbering == Numbering::batch_interleaved
          ? interleaved_nodes(mesh.cell_type, mesh.degree)
          : identity(mesh.dofs_per_cell()),
        space.mesh_cell, space.numbering,
        {0, space.n_owned, space.n_owned + space.n_constrained},
        [&place](const int dof) { return int(place[dof]); });
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
    }

    /// Degree 1: the index of a vertex is that of its degree of freedom.
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

    /// Other degrees: vertices where they are met first, without those that no
    /// cell has.
    void
    number_vertices(Space &space, const Connectivity &mesh)
    {
      const std::size_t dim        = mesh.dim();
      const std::vector<int> local = number_by_first_touch<1>(
        mesh.n_vertices, mesh.cell_vertices, identity(mesh.vertices_per_cell()),
        space.mesh_cell, space.numbering, {0}, [](int) { return 0; });
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

    /// [n_cells][n_entries] from the order of the mesh to that of the space.
    std::vector<double>
    reordered(const std::vector<double> &values,
              const std::vector<int> &mesh_cell)
    {
      auto result         = parallel_vector<double>(values.size());
      const std::size_t n = values.size() / mesh_cell.size();
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < mesh_cell.size(); ++c)
        std::copy_n(values.begin() + n * mesh_cell[c], n,
                    result.begin() + n * c);
      return result;
    }
  } // namespace


  Space
  number(const Connectivity &mesh, const std::vector<Place> &place,
         const Numbering numbering, const CellOrder cell_order)
  {
    Space space;
    space.cell_type        = mesh.cell_type;
    space.degree           = mesh.degree;
    space.geometry         = mesh.geometry;
    space.numbering        = numbering;
    space.cell_order       = cell_order;
    space.mesh_cell        = order_cells(mesh, cell_order);
    space.n_interior_cells = interior_first(space.mesh_cell, mesh, place);
    number_dofs(space, mesh, place);
    if (mesh.degree == 1)
      vertices_as_dofs(space, mesh);
    else
      number_vertices(space, mesh);
    if (mesh.geometry == Geometry::quadrature)
      {
        space.jacobians = reordered(mesh.jacobians, space.mesh_cell);
        space.points    = reordered(mesh.points, space.mesh_cell);
      }
    return space;
  }
} // namespace tessera::internal

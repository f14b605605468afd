#include "numbering.h"

#include <tessera/base/error.h>

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

    /// Calls `visit(index)` for the entries of `cell_indices` [n_cells][n] in
    /// the order of a numbering: cell by cell, or by batches of cells with the
    /// local index (in the order of `nodes`) outermost.
    template <class Visit>
    void
    for_each_touch(const std::vector<int> &cell_indices,
                   const std::vector<int> &nodes, const std::vector<int> &cells,
                   const Numbering numbering, const Visit &visit)
    {
      const std::size_t n = nodes.size();
      const std::size_t batch =
        numbering == Numbering::batch_interleaved ? cells_per_batch : 1;
      for (std::size_t first = 0; first < cells.size(); first += batch)
        {
          const std::size_t last = std::min(first + batch, cells.size());
          for (const int i : nodes)
            for (std::size_t c = first; c < last; ++c)
              visit(cell_indices[n * cells[c] + i]);
        }
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
      std::vector<int> boundary;
      std::size_t n_interior = 0;
      for (const int cell : cells)
        {
          const int *const dofs = &mesh.cell_dofs[n * cell];
          if (std::all_of(dofs, dofs + n, [&](const int dof) {
                return place[dof] == Place::owned;
              }))
            cells[n_interior++] = cell;
          else
            boundary.push_back(cell);
        }
      std::copy(boundary.begin(), boundary.end(), cells.begin() + n_interior);
      return static_cast<int>(n_interior);
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

      std::array<int, 3> next = {0, space.n_owned,
                                 space.n_owned + space.n_constrained};
      std::vector<int> local(mesh.n_dofs, -1);
      space.mesh_dof.resize(mesh.n_dofs);
      const std::vector<int> nodes =
        space.numbering == Numbering::batch_interleaved
          ? interleaved_nodes(mesh.cell_type, mesh.degree)
          : identity(mesh.dofs_per_cell());
      int n_touched = 0;
      for_each_touch(mesh.cell_dofs, nodes, space.mesh_cell, space.numbering,
                     [&](const int dof) {
                       if (local[dof] >= 0)
                         return;
                       local[dof]                 = next[int(place[dof])]++;
                       space.mesh_dof[local[dof]] = dof;
                       ++n_touched;
                     });
      if (n_touched < mesh.n_dofs)
        throw MeshError("The mesh has " + std::to_string(mesh.n_dofs) +
                        " degrees of freedom, but " +
                        std::to_string(mesh.n_dofs - n_touched) +
                        " of them belong to no cell.");

      const std::size_t n = mesh.dofs_per_cell();
      space.cell_dofs.resize(mesh.cell_dofs.size());
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < space.mesh_cell.size(); ++c)
        for (std::size_t i = 0; i < n; ++i)
          space.cell_dofs[n * c + i] =
            local[mesh.cell_dofs[n * space.mesh_cell[c] + i]];
    }

    /// Degree 1: the index of a vertex is that of its degree of freedom.
    void
    vertices_as_dofs(Space &space, const Connectivity &mesh)
    {
      std::vector<int> vertex_of(space.mesh_dof.size(), -1);
      space.cell_vertices   = space.cell_dofs;
      const std::size_t dim = mesh.dim(), nv = mesh.vertices_per_cell();
      space.vertices.resize(dim * space.mesh_dof.size());
      for (std::size_t k = 0; k < space.cell_vertices.size(); ++k)
        {
          const int cell   = space.mesh_cell[k / nv];
          const int vertex = mesh.cell_vertices[nv * cell + k % nv];
          const int dof    = space.cell_dofs[k];
          const int known  = std::exchange(vertex_of[dof], vertex);
          if (known >= 0 && known != vertex)
            throw MeshError(
              "Degree of freedom " + std::to_string(space.mesh_dof[dof]) +
              " of degree 1 stands for the vertices " + std::to_string(known) +
              " and " + std::to_string(vertex) +
              ", but must stand for one alone.");
          for (std::size_t d = 0; d < dim; ++d)
            space.vertices[dim * dof + d] = mesh.vertices[dim * vertex + d];
        }
    }

    /// Other degrees: vertices where they are met first.
    void
    number_vertices(Space &space, const Connectivity &mesh)
    {
      const std::size_t dim = mesh.dim(), nv = mesh.vertices_per_cell();
      std::vector<int> local(mesh.n_vertices, -1);
      int n_used = 0;
      space.vertices.reserve(mesh.vertices.size());
      for_each_touch(mesh.cell_vertices, identity(nv), space.mesh_cell,
                     space.numbering, [&](const int vertex) {
                       if (local[vertex] >= 0)
                         return;
                       local[vertex] = n_used++;
                       for (std::size_t d = 0; d < dim; ++d)
                         space.vertices.push_back(
                           mesh.vertices[dim * vertex + d]);
                     });
      space.cell_vertices.resize(mesh.cell_vertices.size());
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < space.mesh_cell.size(); ++c)
        for (std::size_t v = 0; v < nv; ++v)
          space.cell_vertices[nv * c + v] =
            local[mesh.cell_vertices[nv * space.mesh_cell[c] + v]];
    }

    /// [n_cells][n_entries] from the order of the mesh to that of the space.
    std::vector<double>
    reordered(const std::vector<double> &values,
              const std::vector<int> &mesh_cell)
    {
      std::vector<double> result(values.size());
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

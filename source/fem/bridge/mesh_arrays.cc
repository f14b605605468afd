#include "mesh_vertices.h"

#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/bridge/mesh_arrays.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    /// Returns true if an edge or face of an active cell is refined.
    template <class Cell>
    bool
    has_hanging_nodes(const Cell &cell)
    {
      for (const unsigned int f : cell->face_indices())
        if (cell->face(f)->has_children())
          return true;
      for (const unsigned int l : cell->line_indices())
        if (cell->line(l)->has_children())
          return true;
      return false;
    }
  } // namespace


  template <int dim>
  MeshArrays
  mesh_arrays(const dealii::Triangulation<dim> &triangulation,
              const bool may_hang)
  {
    constexpr Backend host = Backend::host;
    Connectivity flat;
    flat.cell_type = cell_type_of(triangulation);
    set_vertices(flat, triangulation);
    MeshArrays mesh;
    mesh.cell_type = flat.cell_type;
    mesh.corners   = Array<int>(host, flat.cell_vertices);
    mesh.vertices  = Array<double>(host, flat.vertices);

    const int n_cells = mesh.n_cells();
    mesh.materials    = Array<unsigned int>(host, n_cells);
    mesh.numbers      = Array<std::int64_t>(host, n_cells);
    Array<int> n_faces(host, n_cells);
    int first_hanging = n_cells;
    for_active_cells(triangulation, [&]() {
      return [&](const auto &cell) {
        const auto c             = cell->active_cell_index();
        mesh.materials.data()[c] = cell->material_id();
        mesh.numbers.data()[c]   = cell->global_active_cell_index();
        for (const unsigned int f : cell->face_indices())
          n_faces.data()[c] += is_of_boundary(cell->face(f));
        if (!may_hang && triangulation.n_levels() > 1 &&
            has_hanging_nodes(cell))
#pragma omp critical(tessera_mesh_arrays)
          first_hanging = std::min(first_hanging, static_cast<int>(c));
      };
    });
    if (first_hanging < n_cells)
      throw MeshError(
        "Cell " + std::to_string(first_hanging) +
        " has hanging nodes, which a mesh of arrays cannot have.");

    Array<std::int64_t> start(host, std::size_t(n_cells) + 1);
    algorithms::exclusive_scan(host, n_faces.data(), start.data(), n_cells);
    mesh.boundary = Array<MeshFace>(host, start.data()[n_cells]);
    for_active_cells(triangulation, [&]() {
      return [&](const auto &cell) {
        const auto c = cell->active_cell_index();
        if (n_faces.data()[c] == 0)
          return;
        MeshFace *next = mesh.boundary.data() + start.data()[c];
        for (const unsigned int f : cell->face_indices())
          if (is_of_boundary(cell->face(f)))
            *next++ = {static_cast<int>(c), static_cast<int>(f),
                       cell->face(f)->boundary_id()};
      };
    });
    return mesh;
  }


  template MeshArrays
  mesh_arrays(const dealii::Triangulation<2> &, bool);
  template MeshArrays
  mesh_arrays(const dealii::Triangulation<3> &, bool);
} // namespace tessera

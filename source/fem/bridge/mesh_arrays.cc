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


  template <int dim>
  void
  triangulate(dealii::Triangulation<dim> &triangulation, const MeshArrays &mesh,
              const std::vector<int> &cells)
  {
    const std::size_t n       = mesh.corners_per_cell();
    const std::size_t n_cells = cells.empty() ? mesh.n_cells() : cells.size();
    const int *const corners  = mesh.corners.data();
    const auto whole          = [&](const std::size_t cell) {
      return cells.empty() ? cell : static_cast<std::size_t>(cells[cell]);
    };
    std::vector<int> needed; // vertices, in ascending order; empty: all
    for (const int cell : cells)
      needed.insert(needed.end(), corners + cell * n, corners + (cell + 1) * n);
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    std::vector<dealii::Point<dim>> vertices(cells.empty() ? mesh.n_vertices()
                                                           : needed.size());
    for (std::size_t v = 0; v < vertices.size(); ++v)
      std::copy_n(mesh.vertices.data() +
                    (cells.empty() ? v : std::size_t(needed[v])) * dim,
                  dim, vertices[v].begin_raw());
    std::vector<dealii::CellData<dim>> data(n_cells, dealii::CellData<dim>(n));
    for (std::size_t c = 0; c < n_cells; ++c)
      {
        data[c].material_id = mesh.materials.data()[whole(c)];
        for (std::size_t v = 0; v < n; ++v)
          {
            const int vertex = corners[whole(c) * n + v];
            data[c].vertices[v] =
              cells.empty()
                ? vertex
                : std::lower_bound(needed.begin(), needed.end(), vertex) -
                    needed.begin();
          }
      }
    triangulation.clear();
    triangulation.create_triangulation(vertices, data, dealii::SubCellData());
    for (const auto &cell : triangulation.active_cell_iterators())
      if (!cells.empty())
        cell->set_user_index(cells[cell->active_cell_index()] + 1);
    if (!cells.empty())
      return;
    std::vector<typename dealii::Triangulation<dim>::active_cell_iterator> all;
    for (const auto &cell : triangulation.active_cell_iterators())
      all.push_back(cell);
    for (std::size_t f = 0; f < mesh.boundary.size(); ++f)
      {
        const MeshFace &face = mesh.boundary.data()[f];
        all[face.cell]->face(face.face)->set_boundary_id(face.id);
      }
  }


#define INSTANTIATE(dim)                                                      \
  template MeshArrays mesh_arrays(const dealii::Triangulation<dim> &, bool);  \
  template void triangulate(dealii::Triangulation<dim> &, const MeshArrays &, \
                            const std::vector<int> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera

#include "mesh_share.h"
#include "../mesh/mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/mesh/quadratic_cells.h>

#include <deal.II/grid/cell_id.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tessera
{
  namespace
  {
    /// Returns what deal.II wants to know of a cell besides its corners.
    /// `is_in_share` tells of neighbours.
    template <int dim, class Cell, class IsInShare>
    dealii::TriangulationDescription::CellData<dim>
    description_of(const Cell &cell, const dealii::types::subdomain_id owner,
                   const IsInShare &is_in_share)
    {
      dealii::TriangulationDescription::CellData<dim> data;
      const dealii::CellId id(cell->active_cell_index(),
                              std::vector<std::uint8_t>());
      data.id                 = id.to_binary<dim>();
      data.subdomain_id       = owner;
      data.level_subdomain_id = dealii::numbers::invalid_subdomain_id;
      data.manifold_id        = cell->manifold_id();
      data.manifold_line_ids.fill(dealii::numbers::flat_manifold_id);
      data.manifold_quad_ids.fill(dealii::numbers::flat_manifold_id);
      for (unsigned int l = 0; l < cell->n_lines(); ++l)
        data.manifold_line_ids[l] = cell->line(l)->manifold_id();
      for (const unsigned int f : cell->face_indices())
        {
          if constexpr (dim == 3)
            data.manifold_quad_ids[f] = cell->face(f)->manifold_id();
          if (cell->face(f)->at_boundary())
            data.boundary_ids.emplace_back(f, cell->face(f)->boundary_id());
          else if (!is_in_share(cell->neighbor(f)))
            data.boundary_ids.emplace_back(f, beyond_known_cells);
        }
      return data;
    }
  } // namespace


  template <int dim>
  MeshCutter<dim>::MeshCutter(const Mesh<dim> &whole,
                              const std::size_t n_coarsest_vertices)
    : whole(whole), n_coarsest_vertices(n_coarsest_vertices),
      bodies(find_bodies(whole)),
      is_for_all(whole.triangulation().n_active_cells(), 0)
  {
    std::set<std::pair<int, unsigned int>> boundaries, materials;
    std::set<std::pair<unsigned int, unsigned int>> interfaces;
    for (const auto &cell : whole.triangulation().active_cell_iterators())
      {
        const auto c   = cell->active_cell_index();
        const int body = bodies.of_cell[c];
        if (materials.emplace(body, cell->material_id()).second)
          is_for_all[c] = 1;
        if (cell->at_boundary())
          for (const auto &face : cell->face_iterators())
            if (face->at_boundary() &&
                boundaries.emplace(body, face->boundary_id()).second)
              is_for_all[c] = 1;
        for (const unsigned int f : cell->face_indices())
          if (lies_between_materials(cell, f) &&
              interfaces
                .emplace(std::minmax(cell->material_id(),
                                     cell->neighbor(f)->material_id()))
                .second)
            is_for_all[c] = is_for_all[cell->neighbor(f)->active_cell_index()] =
              1;
      }
  }


  template <int dim>
  std::vector<typename MeshCutter<dim>::Cell>
  MeshCutter<dim>::cells_of(const unsigned int rank,
                            std::vector<char> &is_known) const
  {
    std::vector<char> is_near(whole.triangulation().n_vertices(), 0);
    for (const auto &cell :
         active_cells(whole.triangulation(), [rank](const Cell &cell) {
           return cell->subdomain_id() == rank;
         }))
      for (const unsigned int v : cell->vertex_indices())
        is_near[cell->vertex_index(v)] = 1;
    is_known.assign(is_for_all.size(), 0);
    return active_cells(whole.triangulation(), [&](const Cell &cell) {
      const auto corners = cell->vertex_indices();
      const auto c       = cell->active_cell_index();
      is_known[c] =
        std::any_of(corners.begin(), corners.end(), [&](const unsigned int v) {
          return is_near[cell->vertex_index(v)] != 0;
        });
      return is_known[c] != 0 || is_for_all[c] != 0;
    });
  }


  template <int dim>
  MeshShare<dim>
  MeshCutter<dim>::share(const unsigned int rank) const
  {
    MeshShare<dim> result;
    result.source          = whole.source;
    result.boundary_names  = whole.boundary_names;
    result.material_names  = whole.material_names;
    result.part_of         = whole.part_of;
    result.n_ignored_faces = whole.n_ignored_faces;
    const auto &vertices   = whole.triangulation().get_vertices();

    std::vector<char> is_known;
    const auto list        = cells_of(rank, is_known);
    const auto is_in_share = [&](const auto &cell) {
      const auto c = cell->active_cell_index();
      return is_known[c] != 0 || is_for_all[c] != 0;
    };
    // Among the vertices of the share.
    std::vector<int> place(vertices.size(), -1);
    auto &cells = result.cells;
    cells.comm  = MPI_COMM_WORLD;
    cells.settings =
      dealii::TriangulationDescription::Settings::default_setting;
    cells.smoothing = dealii::Triangulation<dim>::none;
    cells.cell_infos.resize(1);
    for (const Cell &cell : list)
      {
        const auto c = cell->active_cell_index();
        dealii::CellData<dim> corners(cell->n_vertices());
        for (const unsigned int v : cell->vertex_indices())
          {
            int &number = place[cell->vertex_index(v)];
            if (number < 0)
              {
                number = static_cast<int>(cells.coarse_cell_vertices.size());
                cells.coarse_cell_vertices.push_back(cell->vertex(v));
              }
            corners.vertices[v] = number;
          }
        corners.material_id = cell->material_id();
        corners.manifold_id = cell->manifold_id();
        cells.coarse_cells.push_back(corners);
        cells.coarse_cell_index_to_coarse_cell_id.push_back(c);
        cells.cell_infos[0].push_back(description_of<dim>(
          cell,
          is_known[c] != 0 ? cell->subdomain_id()
                           : dealii::numbers::artificial_subdomain_id,
          is_in_share));
        result.bodies.of_cell.push_back(bodies.of_cell[c]);
        if (!whole.fibres.empty())
          result.fibres.push_back(whole.fibres[c]);
        if (whole.quadratic)
          for (const auto &node : whole.quadratic->nodes_of(cell))
            result.quadratic_nodes.push_back(node);
      }
    for (const auto &[name, set] : whole.node_sets)
      {
        NodeSet active = active_part(whole.triangulation(), set);
        mesh_tools::renumber(active, place);
        result.node_sets[name] = std::move(active);
      }
    result.bodies.part   = bodies.part;
    result.bodies.joints = bodies.joints;
    result.coarsest_vertices.assign(vertices.begin(),
                                    vertices.begin() + n_coarsest_vertices);
    return result;
  }


  template class MeshCutter<2>;
  template class MeshCutter<3>;
} // namespace tessera

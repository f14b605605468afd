#include "mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/mesh_arrays.h>
#include <tessera/fem/mesh/quadratic_cells.h>
#include <tessera/program/started_processes.h>

#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <atomic>
#include <iostream>
#include <stdexcept>
#include <utility>

// A mesh as deal.II's triangulation and as arrays.
namespace tessera
{
  template <int dim>
  CellType
  Mesh<dim>::cell_type() const
  {
    return cell_type_of(of_deal_ii);
  }


  template <int dim>
  std::unique_ptr<dealii::Mapping<dim>>
  Mesh<dim>::make_mapping(const int degree) const
  {
    if (quadratic && degree > 1)
      return tessera::make_mapping(quadratic);
    if (is_simplex(cell_type()))
      return std::make_unique<dealii::MappingFE<dim>>(
        dealii::FE_SimplexP<dim>(1));
    return std::make_unique<dealii::MappingQ<dim>>(curved ? degree : 1);
  }


  template <int dim>
  std::string
  Mesh<dim>::list_boundaries() const
  {
    return mesh_tools::list_ids(boundary_ids(of_deal_ii), boundary_names);
  }


  template <int dim>
  std::shared_ptr<const MeshArrays>
  Mesh<dim>::arrays() const
  {
    if (as_arrays != nullptr)
      return as_arrays;
    if (of_deal_ii.has_hanging_nodes())
      return nullptr;
    MeshArrays made = mesh_arrays(of_deal_ii);
    for (int level = 0; level < levels_left; ++level)
      made = refine(made);
    auto result = std::make_shared<const MeshArrays>(std::move(made));
    if (is_settled)
      as_arrays = result;
    return result;
  }


  template <int dim>
  std::vector<unsigned int>
  Mesh<dim>::cell_materials() const
  {
    std::vector<unsigned int> result(n_cells());
    const int n_parts = 1 << dim * levels_left; // of a coarser cell
    for_active_cells(of_deal_ii, [&]() {
      return [&](const auto &cell) {
        std::fill_n(result.begin() +
                      std::int64_t(cell->active_cell_index()) * n_parts,
                    n_parts, cell->material_id());
      };
    });
    return result;
  }


  template <int dim>
  void
  Mesh<dim>::divide_later(const int levels)
  {
    if (has_moved)
      throw std::logic_error("Mesh: vertices were moved before a refinement");
    levels_left += levels;
    as_arrays  = nullptr;
    is_settled = true;
  }


  template <int dim>
  void
  Mesh<dim>::note_division() const
  {
    constexpr std::int64_t many = 1000000;
    if (n_cells() >= many && program::is_first_said("division by deal.II"))
      std::cerr << "note: something asks for deal.II's triangulation of "
                << n_cells() << " cells, which one thread makes now."
                << std::endl;
  }


  template <int dim>
  void
  Mesh<dim>::divide_cells() const
  {
    mesh_tools::refine_all(of_deal_ii, levels_left, source);
    levels_left = 0;
    if (has_moved)
      return place_vertices();
    if (as_arrays == nullptr)
      return;
    std::atomic<bool> differs(false);
    for_active_cells(of_deal_ii, [&]() {
      return [&, corners = std::vector<dealii::Point<dim>>()](
               const auto &cell) mutable {
        mesh_tools::corners_of(
          *as_arrays, static_cast<int>(cell->active_cell_index()), corners);
        for (const unsigned int v : cell->vertex_indices())
          if (cell->vertex(v).distance(corners[v]) > 1e-9 * cell->diameter())
            differs = true;
      };
    });
    if (differs)
      throw std::logic_error("Mesh: deal.II has other cells than arrays");
  }


  template <int dim>
  void
  Mesh<dim>::move_vertices(const std::vector<double> &vertices)
  {
    auto moved =
      std::make_shared<MeshArrays>(copy_to(Backend::host, *arrays()));
    double *const to = moved->vertices.data();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < vertices.size(); ++i)
      to[i] = vertices[i];
    as_arrays  = std::move(moved);
    is_settled = true;
    has_moved  = is_coarser();
    if (!has_moved)
      place_vertices();
  }


  template <int dim>
  void
  Mesh<dim>::place_vertices() const
  {
    for_active_cells(of_deal_ii, [&]() {
      return [&, corners = std::vector<dealii::Point<dim>>()](
               const auto &cell) mutable {
        mesh_tools::corners_of(
          *as_arrays, static_cast<int>(cell->active_cell_index()), corners);
        // Cells that share a vertex write the same numbers.
        for (const unsigned int v : cell->vertex_indices())
          for (int d = 0; d < dim; ++d)
            {
#pragma omp atomic write
              cell->vertex(v)[d] = corners[v][d];
            }
      };
    });
  }


  template struct Mesh<2>;
  template struct Mesh<3>;
} // namespace tessera

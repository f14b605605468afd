#include "mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
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
    return is_coarser() ? as_arrays->cell_type : cell_type_of(of_deal_ii);
  }


  template <int dim>
  std::unique_ptr<dealii::Mapping<dim>>
  Mesh<dim>::make_mapping(const int degree) const
  {
    if (quadratic && degree > 1)
      return tessera::make_mapping(quadratic, !is_coarser() ? nullptr
                                              : quadratic_parts
                                                ? quadratic_parts
                                                : quadratic);
    if (is_simplex(cell_type()))
      return std::make_unique<dealii::MappingFE<dim>>(
        dealii::FE_SimplexP<dim>(1));
    return std::make_unique<dealii::MappingQ<dim>>(curved ? degree : 1);
  }


  template <int dim>
  std::string
  Mesh<dim>::list_boundaries() const
  {
    return mesh_tools::list_ids(boundary_ids(), boundary_names);
  }


  template <int dim>
  std::string
  Mesh<dim>::list_materials(
    const std::set<dealii::types::material_id> &ids) const
  {
    return mesh_tools::list_ids(ids, material_names);
  }


  template <int dim>
  std::set<dealii::types::boundary_id>
  Mesh<dim>::boundary_ids() const
  {
    if (!is_coarser())
      return tessera::boundary_ids(of_deal_ii);
    std::set<dealii::types::boundary_id> ids;
    for (std::size_t f = 0; f < as_arrays->boundary.size(); ++f)
      ids.insert(as_arrays->boundary.data()[f].id);
    return ids;
  }


  template <int dim>
  std::set<dealii::types::material_id>
  Mesh<dim>::material_ids() const
  {
    if (!coarsest)
      return tessera::material_ids(of_deal_ii);
    return {coarsest->materials.data(),
            coarsest->materials.data() + coarsest->n_cells()};
  }


  template <int dim>
  void
  Mesh<dim>::assign(MeshArrays cells)
  {
    as_arrays = std::make_shared<MeshArrays>(std::move(cells));
    coarsest  = as_arrays;
    worst     = std::nullopt;
  }


  template <int dim>
  std::shared_ptr<const MeshArrays>
  Mesh<dim>::arrays() const
  {
    if (as_arrays != nullptr)
      return as_arrays;
    auto copied = std::make_shared<MeshArrays>(mesh_arrays(of_deal_ii, true));
    if (is_settled)
      as_arrays = copied;
    return copied;
  }


  template <int dim>
  WorstCell
  Mesh<dim>::worst_cell() const
  {
    const auto cells = arrays();
    if (as_arrays == nullptr || !worst)
      worst = tessera::worst_cell(*cells);
    return *worst;
  }


  template <int dim>
  void
  Mesh<dim>::divide_later(const int levels, const bool into_simplices,
                          const Backend where, const double distortion,
                          const int seed)
  {
    constexpr int many = 1 << 16; // cells that a device divides
    if (has_changed)
      throw std::logic_error("Mesh: arrays were changed before a refinement");
    if (levels == 0 && !into_simplices && distortion == 0.)
      return;
    if (hangs())
      throw std::logic_error(
        "Mesh: arrays with hanging vertices are not divided");
    std::shared_ptr<const MeshArrays> now = arrays();
    const bool replaces =
      into_simplices || (levels > 0 && now->cell_type == CellType::tetrahedron);
    if (replaces && !is_coarser())
      mesh_tools::make_active(node_sets, of_deal_ii);
    if (curved && !quadratic && !is_coarser())
      manifolds =
        std::make_shared<const mesh_tools::CoarseManifolds<dim>>(of_deal_ii);
    const bool on_device = where == Backend::cuda && !manifolds && !quadratic;
    const ReusedDeviceMemory reused(where);
    std::shared_ptr<MeshArrays> finer;
    std::optional<WorstCell> its_worst;
    try
      {
        for (int level = levels_left; level < levels_left + levels; ++level)
          {
            MoveVertices move;
            if (manifolds)
              move = [&](NewVertices &fresh) {
                manifolds->place(fresh, level, source);
              };
            if (on_device && now->n_cells() >= many &&
                now->backend() == Backend::host)
              now = std::make_shared<MeshArrays>(copy_to(where, *now));
            finer = std::make_shared<MeshArrays>(refine(*now, move));
            if (quadratic)
              {
                auto divided = std::make_shared<const QuadraticCells<dim>>(
                  maps_of_arrays().divided(*now, *finer));
                if (replaces)
                  quadratic = std::move(divided);
                quadratic_parts = std::move(divided); // null where it replaces
              }
            now = finer;
          }
        const auto finish = [&]() {
          its_worst = distortion > 0. ? distort(*finer, distortion, seed)
                                      : tessera::worst_cell(*finer);
        };
        if (finer && finer->backend() != Backend::host)
          {
            if (!into_simplices)
              finish();
            finer =
              std::make_shared<MeshArrays>(copy_to(Backend::host, *finer));
            now = finer;
          }
        for (auto &[name, set] : node_sets)
          if (replaces)
            set = mesh_tools::divided(set, *now,
                                      levels + (is_replaced ? 0 : levels_left));
        if (quadratic && finer)
          maps_of_arrays().place_vertices(*finer);
        if (into_simplices)
          {
            finer =
              std::make_shared<MeshArrays>(mesh_tools::simplices_of(*now));
            curved    = false;
            quadratic = quadratic_parts = nullptr;
            manifolds                   = nullptr;
          }
        if (!finer)
          finer = std::make_shared<MeshArrays>(copy_to(Backend::host, *now));
        if (!its_worst)
          finish();
      }
    catch (const DeviceError &error)
      {
        if (!on_device)
          throw;
        std::cerr << "note: the host divides the cells: " << error.what()
                  << std::endl;
        return divide_later(levels, into_simplices, Backend::host, distortion,
                            seed);
      }
    as_arrays = finer;
    worst     = its_worst;
    levels_left += levels;
    is_replaced = is_replaced || replaces;
    is_settled  = true;
    has_changed = distortion > 0. && is_coarser();
    if (distortion > 0. && !is_coarser())
      follow_arrays();
  }


  template <int dim>
  void
  Mesh<dim>::triangulate(dealii::Triangulation<dim> &part,
                         const std::vector<int> &cells) const
  {
    tessera::triangulate(part, *as_arrays, cells);
    if (manifolds)
      manifolds->attach(part, cells, levels_left);
  }


  template <int dim>
  void
  Mesh<dim>::change_arrays(const std::function<void(MeshArrays &)> &change)
  {
    auto changed = as_arrays;
    as_arrays    = nullptr;
    if (changed == nullptr || changed.use_count() > 1)
      changed = std::make_shared<MeshArrays>(
        changed == nullptr ? mesh_arrays(of_deal_ii, true)
                           : copy_to(Backend::host, *changed));
    change(*changed);
    as_arrays   = std::move(changed);
    worst       = std::nullopt;
    has_changed = is_coarser();
    if (!has_changed)
      follow_arrays();
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
    // What deal.II throws leaves the mesh as it is.
    const int levels = levels_left;
    if (is_replaced)
      tessera::triangulate(of_deal_ii, *as_arrays);
    else
      {
        if (coarsest)
          mesh_tools::take_cells(of_deal_ii, *coarsest, source);
        mesh_tools::refine_all(of_deal_ii, levels, source);
        if (quadratic)
          quadratic->place_vertices(of_deal_ii);
      }
    const bool replaced = std::exchange(is_replaced, false);
    levels_left         = 0;
    coarsest            = nullptr;
    quadratic_parts     = nullptr;
    if (replaced)
      return;
    if (has_changed)
      return follow_arrays();
    if (levels == 0)
      return;
    // Points on manifolds are found by iterations.
    const double tolerance = curved ? 1e-6 : 1e-9;
    std::atomic<bool> differs(false);
    for_active_cells(of_deal_ii, [&]() {
      return [&, corners = std::vector<dealii::Point<dim>>()](
               const auto &cell) mutable {
        mesh_tools::corners_of(
          *as_arrays, static_cast<int>(cell->active_cell_index()), corners);
        for (const unsigned int v : cell->vertex_indices())
          if (cell->vertex(v).distance(corners[v]) >
              tolerance * cell->diameter())
            differs = true;
      };
    });
    if (differs)
      throw std::logic_error("Mesh: deal.II has other cells than arrays");
    if (curved)
      follow_arrays();
  }


  template <int dim>
  void
  Mesh<dim>::follow_arrays() const
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
    const auto cells = boundary_cells(of_deal_ii);
    for (std::size_t f = 0; f < as_arrays->boundary.size(); ++f)
      {
        const MeshFace &face = as_arrays->boundary.data()[f];
        const auto cell      = std::lower_bound(
               cells.begin(), cells.end(), static_cast<unsigned int>(face.cell),
               [](const auto &cell, const unsigned int index) {
            return cell->active_cell_index() < index;
          });
        (*cell)->face(face.face)->set_boundary_id(face.id);
      }
  }


  template struct Mesh<2>;
  template struct Mesh<3>;
} // namespace tessera

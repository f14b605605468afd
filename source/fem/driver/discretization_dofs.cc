#include "../mesh/mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/driver/discretization.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

// The degrees of freedom of a case, numbered by arrays or by deal.II.
namespace tessera
{
  /// Meshes that adapt keep the numbers of deal.II, which moves their fields.
  template <int dim>
  bool
  Discretization<dim>::numbers_arrays() const
  {
    const double n = n_nodes(mesh.cell_type(), entry.problem.degree);
    return division == nullptr && !needs_all_cells &&
           parameters.get("Mesh/Refinement") != "adaptive" &&
           n * static_cast<double>(mesh.n_cells()) <
             std::numeric_limits<int>::max();
  }


  template <int dim>
  const dealii::DoFHandler<dim> &
  Discretization<dim>::dof_handler() const
  {
    if (all_dofs.has_active_dofs())
      return all_dofs;
    all_dofs.reinit(mesh.triangulation());
    all_dofs.distribute_dofs(*fe);
    if (arrays)
      {
        const auto numbers = numbers_of_dofs(all_dofs, nodes);
        all_dofs.renumber_dofs(std::vector<dealii::types::global_dof_index>(
          numbers.begin(), numbers.end()));
      }
    return all_dofs;
  }


  template <int dim>
  dealii::DoFHandler<dim> &
  Discretization<dim>::dof_handler()
  {
    std::as_const(*this).dof_handler();
    return all_dofs;
  }


  template <int dim>
  KnownDofs<dim>
  Discretization<dim>::known_dofs(const bool all_cells) const
  {
    if (boundary_cells_known && !all_cells)
      return boundary_cells_known->known();
    // Faces need the map that cells have (`build`).
    const bool has_other_map = mesh.curved &&
                               geometry == Geometry::quadrature &&
                               (mesh.quadratic || !mesh.is_coarser());
    if (all_cells || !arrays || has_other_map || all_dofs.has_active_dofs())
      return dof_handler();
    auto cells = cells_at_surfaces(*arrays, nodes);
    if (cells.size() > 0.9 * mesh.n_cells()) // as in a thin plate
      return dof_handler();
    boundary_cells_known = std::make_unique<const BoundaryCells<dim>>(
      *arrays, nodes, *fe, std::move(cells), triangulate_cells(true));
    return boundary_cells_known->known();
  }


  template <int dim>
  std::vector<dealii::Point<dim>>
  Discretization<dim>::node_points() const
  {
    std::vector<dealii::Point<dim>> points;
    if (!arrays || mesh.curved)
      {
        points.resize(dof_handler().n_dofs());
        dealii::DoFTools::map_dofs_to_support_points(*mapping, dof_handler(),
                                                     points);
        return points;
      }
    const auto &element = fe->base_element(0);
    const auto &unit    = element.get_unit_support_points();
    const auto local    = to_local_order<dim>(arrays->cell_type, nodes.degree);
    const std::size_t n = unit.size();
    const int *const of_cell = nodes.of_cells.data();
    // Cells that share a node may round its point in another way.
    std::vector<int> owner(nodes.n_nodes);
    for (int cell = arrays->n_cells() - 1; cell >= 0; --cell)
      for (std::size_t i = 0; i < n; ++i)
        owner[of_cell[cell * n + i]] = cell;
    const std::size_t n_c = fe->n_components();
    points.resize(nodes.n_nodes * n_c);
#pragma omp parallel
    {
      std::vector<dealii::Point<dim>> corners;
#pragma omp for schedule(static)
      for (int cell = 0; cell < arrays->n_cells(); ++cell)
        {
          mesh_tools::corners_of(*arrays, cell, corners);
          for (std::size_t i = 0; i < n; ++i)
            {
              const std::size_t node = of_cell[cell * n + i];
              if (owner[node] != cell)
                continue;
              dealii::Point<dim> p;
              for (unsigned int v = 0; v < corners.size(); ++v)
                p += element.reference_cell().d_linear_shape_function(
                       unit[local[i]], v) *
                     corners[v];
              std::fill_n(&points[node * n_c], n_c, p);
            }
        }
    }
    return points;
  }


  template <int dim>
  dealii::Vector<double>
  Discretization<dim>::interpolate(const dealii::Function<dim> &function) const
  {
    dealii::Vector<double> result;
    if (!arrays || mesh.curved)
      {
        result.reinit(dof_handler().n_dofs());
        dealii::VectorTools::interpolate(*mapping, dof_handler(), function,
                                         result);
        return result;
      }
    const std::size_t n_c = fe->n_components(), at_once = 1024;
    const auto points         = node_points();
    const std::size_t n_nodes = points.size() / n_c;
    result.reinit(points.size());
#pragma omp parallel for schedule(static)
    for (std::size_t first = 0; first < n_nodes; first += at_once)
      {
        const std::size_t n = std::min(at_once, n_nodes - first);
        std::vector<dealii::Point<dim>> some(n);
        std::vector<double> values(n);
        for (std::size_t i = 0; i < n; ++i)
          some[i] = points[(first + i) * n_c];
        for (std::size_t c = 0; c < n_c; ++c)
          {
            function.value_list(some, values, c);
            for (std::size_t i = 0; i < n; ++i)
              result[(first + i) * n_c + c] = values[i];
          }
      }
    return result;
  }


  template <int dim>
  WrittenCells<dim>
  Discretization<dim>::written_cells(
    const typename SolutionWriter<dim>::Fields &fields) const
  {
    if (arrays && !mesh.curved && fields.fit_arrays())
      return {*arrays, nodes};
    return {*mapping, dof_handler(), division};
  }


  template <int dim>
  void
  Discretization<dim>::share_dofs()
  {
    if (!distributed)
      division->divide(mesh.triangulation());
    local_cells.resize(mesh.triangulation().n_active_cells());
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      local_cells[cell->active_cell_index()] = is_here(division, cell);
    dofs = distributed ? distributed->dofs(all_dofs) : division->dofs(all_dofs);
    exchange =
      std::make_shared<const NodeExchange>(division->processes(), dofs);
  }


  template <int dim>
  MeshNodes
  Discretization<dim>::shared_nodes() const
  {
    if (flat.dofs.empty())
      return dofs;
    MeshNodes nodes;
    for (std::size_t i = 0; i < flat.dofs.size(); i += fe->n_components())
      {
        nodes.owner.push_back(dofs.owner[flat.dofs[i]]);
        nodes.id.push_back(dofs.id[flat.dofs[i]]);
      }
    return nodes;
  }


  template <int dim>
  void
  Discretization<dim>::count_problem()
  {
    const auto &given   = flat.connectivity.constrained;
    std::int64_t n_free = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_free)
    for (std::size_t i = 0; i < given.size(); ++i)
      n_free += given[i] == 0;
    std::vector<double> counts{double(mesh.n_cells()),
                               double(n_free) -
                                 flat.connectivity.hanging.size()};
    if (division != nullptr)
      {
        const auto is_owned = [this](const std::size_t i) {
          return dofs.owner[flat.dofs.empty() ? i : flat.dofs[i]] ==
                 division->rank();
        };
        counts = {double(std::count(local_cells.begin(), local_cells.end(), 1)),
                  0.};
        for (std::size_t i = 0; i < given.size(); ++i)
          counts[1] += given[i] == 0 && is_owned(i);
        for (const int i : flat.connectivity.hanging.entry)
          counts[1] -= is_owned(i);
        sum_up(division, counts);
      }
    entry.problem.cells = static_cast<std::int64_t>(counts[0]);
    entry.problem.dofs  = static_cast<std::int64_t>(counts[1]);

    // All processes know all boundaries.
    std::map<dealii::types::boundary_id, std::size_t> places;
    for (const auto id : mesh.boundary_ids())
      places.emplace(id, places.size());
    std::vector<double> n_faces(places.size(), 0.);
    if (arrays)
      for (std::size_t f = 0; f < arrays->boundary.size(); ++f)
        ++n_faces[places.at(arrays->boundary.data()[f].id)];
    else
      for (const auto &cell : boundary_cells(mesh.triangulation()))
        if (division == nullptr || local_cells[cell->active_cell_index()] != 0)
          for (const auto &face : cell->face_iterators())
            if (is_of_boundary(face))
              ++n_faces[places.at(face->boundary_id())];
    if (division != nullptr)
      sum_up(division, n_faces);
    entry.problem.boundaries.clear();
    for (const auto &[id, place] : places)
      entry.problem.boundaries.push_back(
        {id, mesh_tools::names_of(mesh.boundary_names, id),
         static_cast<std::int64_t>(n_faces[place])});
  }


#define INSTANTIATE(dim)                                                      \
  template bool Discretization<dim>::numbers_arrays() const;                  \
  template const dealii::DoFHandler<dim> &Discretization<dim>::dof_handler()  \
    const;                                                                    \
  template dealii::DoFHandler<dim> &Discretization<dim>::dof_handler();       \
  template KnownDofs<dim> Discretization<dim>::known_dofs(bool) const;        \
  template std::vector<dealii::Point<dim>> Discretization<dim>::node_points() \
    const;                                                                    \
  template dealii::Vector<double> Discretization<dim>::interpolate(           \
    const dealii::Function<dim> &) const;                                     \
  template WrittenCells<dim> Discretization<dim>::written_cells(              \
    const typename SolutionWriter<dim>::Fields &) const;                      \
  template void Discretization<dim>::share_dofs();                            \
  template MeshNodes Discretization<dim>::shared_nodes() const;               \
  template void Discretization<dim>::count_problem();
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera

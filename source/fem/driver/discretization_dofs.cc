#include "../bridge/node_dofs.h"
#include "../mesh/mesh_tools.h"
#include <tessera/assembly/form_data.h>
#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/driver/discretization.h>
#include <tessera/operators/matrix_free.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

// The degrees of freedom of a case, numbered by arrays or by deal.II.
namespace tessera
{
  program::LibraryBytes
  bytes_of_deal_ii(const CellType type)
  {
    return {type == CellType::hexahedron    ? 650.
            : type == CellType::tetrahedron ? 450.
            : type == CellType::triangle    ? 300.
                                            : 400.,
            8.};
  }


  void
  set_kind_of_mesh(program::CaseSize &size, const Parameters &parameters)
  {
    size.has_arrays = !mesh_adapts(parameters);
    // deal.II has the cells that processes share before they refine them.
    if (size.has_arrays)
      size.library_mesh =
        parameters.get("Mesh/Refined by") == "deal.II" ||
            (size.n_processes > 1 && initial_refinement(parameters) == 0)
          ? program::LibraryMesh::cells
          : program::LibraryMesh::none;
  }


  namespace
  {
    /// Returns how the components of nodes are shared, [n_nodes][n].
    MeshNodes
    dofs_of_nodes(MeshNodes nodes, const int n)
    {
      if (n == 1)
        return nodes;
      MeshNodes dofs;
      for (std::size_t i = 0; i < nodes.id.size(); ++i)
        for (int c = 0; c < n; ++c)
          {
            dofs.owner.push_back(nodes.owner[i]);
            dofs.id.push_back(nodes.id[i] < 0 ? -1 : nodes.id[i] * n + c);
          }
      return dofs;
    }
  } // namespace


  template <int dim>
  const dealii::DoFHandler<dim> &
  Discretization<dim>::dof_handler() const
  {
    if (all_dofs.has_active_dofs())
      return all_dofs;
    all_dofs.reinit(mesh().triangulation());
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
  const CellNodes<dim> &
  Discretization<dim>::cells() const
  {
    const int n_components = static_cast<int>(fe->n_components());
    if (cells_known)
      return *cells_known;
    if (!arrays)
      cells_known = std::make_unique<const CellNodes<dim>>(
        *mapping, dof_handler(), division, dofs);
    else if (!mesh().curved)
      {
        auto known =
          std::make_unique<CellNodes<dim>>(*arrays, nodes, n_components);
        known->share(division, dofs, mesh().owner);
        cells_known = std::move(known);
      }
    else
      cells_known = std::make_unique<const CellNodes<dim>>(
        *arrays, nodes, n_components, mapping.get(),
        [this]() -> const auto & { return mesh().triangulation(); },
        mesh().is_coarser() ? triangulate_cells() : Triangulate<dim>{});
    return *cells_known;
  }


  template <int dim>
  std::string
  Discretization<dim>::who_has_cells() const
  {
    if (mesh().is_coarser())
      return "The mesh is arrays, and nothing has asked for deal.II's "
             "triangulation of its cells.";
    const bool is_adaptive = mesh_adapts(parameters);
    const bool is_generated =
      !mesh_tools::from_file(parameters) && initial_refinement(parameters) == 0;
    return "deal.II has a triangulation of the cells, since " +
           std::string(division.n_processes() > 1 ? "processes share them"
                       : is_adaptive              ? "they adapt"
                       : parameters.get("Mesh/Refined by") == "deal.II"
                         ? "'Mesh/Refined by' asks for it"
                       : !arrays      ? "their nodes are too many for arrays"
                       : is_generated ? "its generator made them"
                                      : "places beside it ask for it") +
           '.';
  }


  template <int dim>
  std::vector<dealii::Point<dim>>
  Discretization<dim>::node_points() const
  {
    const auto of_nodes = cells().points();
    const int n_c       = cells().n_components();
    std::vector<dealii::Point<dim>> points(cells().n_dofs());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < of_nodes.size(); ++i)
      for (int c = 0; c < n_c; ++c)
        points[cells().dof(i, c)] = of_nodes[i];
    return points;
  }


  template <int dim>
  dealii::Vector<double>
  Discretization<dim>::interpolate(const dealii::Function<dim> &function) const
  {
    const auto points         = cells().points();
    const int n_c             = cells().n_components();
    const std::size_t at_once = 1024;
    dealii::Vector<double> result(cells().n_dofs());
#pragma omp parallel for schedule(static)
    for (std::size_t first = 0; first < points.size(); first += at_once)
      {
        const std::size_t n = std::min(at_once, points.size() - first);
        const std::vector<dealii::Point<dim>> some(points.begin() + first,
                                                   points.begin() + first + n);
        std::vector<double> values(n);
        for (int c = 0; c < n_c; ++c)
          {
            function.value_list(some, values, c);
            for (std::size_t i = 0; i < n; ++i)
              result[cells().dof(first + i, c)] = values[i];
          }
      }
    return result;
  }


  template <int dim>
  dealii::Vector<double>
  Discretization<dim>::product(const Form &form,
                               const dealii::Vector<double> &u) const
  {
    auto cells = device_cells();
    if (cells == nullptr)
      cells = std::make_shared<const CellData<double>>(space, backend);
    const MatrixFree<double> A(
      cells, std::make_shared<const FormData<double>>(form, *cells),
      solver.assembly.conflict.value_or(default_conflict(backend)), {}, {},
      false);
    Vector<double> x = cells->make_vector(), y = cells->make_vector();
    import_dofs(x, *space, u, flat.dofs);
    A.apply_add(y, x, CellRange::all);
    const std::vector<double> values = y.to_vector();
    dealii::Vector<double> result(u.size());
#pragma omp parallel for schedule(static)
    for (int i = 0; i < space->padding_index() * space->n_components; ++i)
      result[dof_of_entry(*space, flat.dofs, i)] = values[i];
    return result;
  }


  template <int dim>
  void
  Discretization<dim>::share_dofs()
  {
    MeshNodes shared;
    if (distributed())
      {
        local_cells.clear();
        for (const int owner : mesh().owner)
          local_cells.push_back(owner == division.rank());
        n_known = std::count_if(mesh().owner.begin(), mesh().owner.end(),
                                [](const int owner) { return owner >= 0; });
        shared  = arrays ? dofs_of_nodes(distributed()->nodes(mesh(), nodes),
                                         static_cast<int>(fe->n_components()))
                         : distributed()->dofs(all_dofs);
      }
    else
      {
        division.divide(mesh().triangulation());
        local_cells.resize(mesh().triangulation().n_active_cells());
        for (const auto &cell : mesh().triangulation().active_cell_iterators())
          local_cells[cell->active_cell_index()] = is_own(division, cell);
        n_known = static_cast<std::ptrdiff_t>(local_cells.size());
        shared  = division.dofs(all_dofs);
      }
    const NodeExchange exchange(division.processes(), shared);
    dofs = std::make_shared<const SharedDofs>(
      SharedDofs{std::move(shared), exchange});
  }


  template <int dim>
  MeshNodes
  Discretization<dim>::shared_nodes() const
  {
    if (flat.dofs.empty())
      return dofs->nodes;
    MeshNodes nodes;
    for (std::size_t i = 0; i < flat.dofs.size(); i += fe->n_components())
      {
        nodes.owner.push_back(dofs->nodes.owner[flat.dofs[i]]);
        nodes.id.push_back(dofs->nodes.id[flat.dofs[i]]);
      }
    return nodes;
  }


  template <int dim>
  void
  Discretization<dim>::count_problem()
  {
    const auto &given   = flat.connectivity.constrained;
    const auto is_owned = [this](const std::size_t i) {
      return owns(flat.dofs.empty() ? static_cast<int>(i) : flat.dofs[i]);
    };
    std::int64_t n_free = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_free)
    for (std::size_t i = 0; i < given.size(); ++i)
      n_free += given[i] == 0 && is_owned(i);
    for (const int i : flat.connectivity.hanging.entry)
      n_free -= is_owned(i);
    std::vector<double> counts{
      local_cells.empty()
        ? double(mesh().n_cells())
        : double(std::count(local_cells.begin(), local_cells.end(), 1)),
      double(n_free)};
    sum_up(division, counts);
    entry.problem.cells = static_cast<std::int64_t>(counts[0]);
    entry.problem.dofs  = static_cast<std::int64_t>(counts[1]);

    // All processes know all boundaries.
    std::map<dealii::types::boundary_id, std::size_t> places;
    for (const auto id : mesh().boundary_ids())
      places.emplace(id, places.size());
    std::vector<double> n_faces(places.size(), 0.);
    const auto all = mesh().arrays();
    for (std::size_t f = 0; f < all->boundary.size(); ++f)
      if (const MeshFace &face = all->boundary.data()[f];
          local_cells.empty() || local_cells[face.cell] != 0)
        ++n_faces[places.at(face.id)];
    sum_up(division, n_faces);
    entry.problem.boundaries.clear();
    for (const auto &[id, place] : places)
      entry.problem.boundaries.push_back(
        {id, mesh_tools::names_of(mesh().boundary_names, id),
         static_cast<std::int64_t>(n_faces[place])});
  }


#define INSTANTIATE(dim)                                                      \
  template const dealii::DoFHandler<dim> &Discretization<dim>::dof_handler()  \
    const;                                                                    \
  template dealii::DoFHandler<dim> &Discretization<dim>::dof_handler();       \
  template const CellNodes<dim> &Discretization<dim>::cells() const;          \
  template std::vector<dealii::Point<dim>> Discretization<dim>::node_points() \
    const;                                                                    \
  template dealii::Vector<double> Discretization<dim>::interpolate(           \
    const dealii::Function<dim> &) const;                                     \
  template dealii::Vector<double> Discretization<dim>::product(               \
    const Form &, const dealii::Vector<double> &) const;                      \
  template void Discretization<dim>::share_dofs();                            \
  template MeshNodes Discretization<dim>::shared_nodes() const;               \
  template void Discretization<dim>::count_problem();
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera

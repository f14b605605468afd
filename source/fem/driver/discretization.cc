#include "../mesh/mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/driver/adaptive_refinement.h>
#include <tessera/fem/driver/discretization.h>
#include <tessera/program/choices.h>

#include <tessera/base/runtime.h>
#include <tessera/operators/factory.h>

#include <deal.II/base/utilities.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_system.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <utility>

namespace tessera
{
  namespace
  {
    /// Calls `build` with the mesh and how its nodes are numbered. Constrained
    /// degrees of freedom are known from the start, or free until they are
    /// eliminated.
    template <class Build>
    auto
    numbered(const Connectivity &mesh, const bool all_free,
             const Parameters &parameters, const Build &build)
    {
      const std::string section = "Finite element/";
      const auto with           = [&](const Connectivity &connectivity) {
        return build(
                    connectivity, parameters.get(section + "Numbering"),
                    cell_order_from_string(parameters.get(section + "Cell order")),
                    parameters.get_integer(section + "Block side"));
      };
      if (!all_free ||
          std::count(mesh.constrained.begin(), mesh.constrained.end(), 0) == 0)
        return with(mesh);
      Connectivity free = mesh;
      std::fill(free.constrained.begin(), free.constrained.end(), 0);
      return with(free);
    }


    /// Returns true if a cell is larger than a neighbour. With a `division` the
    /// mesh is what a process knows of a distributed one, and the cells of all
    /// processes count; else it is the whole one.
    template <int dim>
    bool
    nodes_hang(const dealii::Triangulation<dim> &triangulation,
               const Division *const division)
    {
      if (division == nullptr)
        return triangulation.has_hanging_nodes();
      bool found = false;
      for (const auto &cell : triangulation.active_cell_iterators())
        for (const unsigned int f : cell->face_indices())
          found =
            found || (is_here(division, cell) && cell->face(f)->has_children());
      return division->processes().any(found);
    }


    /// Says once that a geometry does not curve the cells.
    void
    note_straight_cells(const CellType type)
    {
      static bool said = false; // every degree and cycle comes here
      if (!std::exchange(said, true))
        std::cerr
          << "note: 'Mesh/Geometry' = quadrature does not curve cells of "
             "type "
          << to_string(type) << ": their edges are straight." << std::endl;
    }

    /// Tells whether a case fits into the free memory with a preconditioner.
    bool
    fits(program::CaseSize size, const std::string &preconditioner)
    {
      size.preconditioner = preconditioner;
      return program::MemoryEstimate(size).fits(
        size.backend == Backend::cuda ? runtime::current_device() : 0);
    }
  } // namespace


  void
  declare_discretization(Parameters &parameters, const bool adapts)
  {
    const auto selection = [](const std::string &kind) {
      return Patterns::Selection(choices(kind).selection());
    };
    declare_mesh(parameters);
    parameters.declare("Mesh/Cycles", "1", Patterns::Integer(1, 15),
                       "meshes to solve on, each refined once more");
    AdaptiveRefinement::declare(parameters, adapts);
    parameters.declare(
      "Mesh/Geometry", "auto",
      Patterns::Selection("auto|" + choices("geometry").selection()),
      "how cells are mapped, see --list; auto: quadrature on "
      "curved meshes, else vertices");
    parameters.declare(
      "Finite element/Degrees", "1, 2, 3, 4",
      Patterns::List(Patterns::Integer(1, 4), 1, 4),
      "polynomial degrees, on triangles and tetrahedra up to 2");
    parameters.declare("Finite element/Numbering", default_numbering,
                       selection("numbering"),
                       "order of the degrees of freedom; see --list");
    parameters.declare("Finite element/Cell order", "hilbert",
                       selection("cell order"),
                       "order of the cells; see --list; the numberings blocked "
                       "and blocked_aligned go by the order blocked");
    parameters.declare("Finite element/Block side",
                       std::to_string(default_block_side),
                       Patterns::Integer(1, max_block_side),
                       "cells a direction in a block of the order blocked");
  }


  std::vector<int>
  read_degrees(const Parameters &parameters)
  {
    const std::string entry = "Finite element/Degrees";
    const auto degrees =
      dealii::Utilities::string_to_int(parameters.get_list(entry));
    for (std::size_t i = 0; i < degrees.size(); ++i)
      if (std::count(degrees.begin(), degrees.begin() + i, degrees[i]) > 0)
        throw ParameterError("'" + entry + "' = " + parameters.get(entry) +
                             " has the degree " + std::to_string(degrees[i]) +
                             " twice.");
    return degrees;
  }


  template <int dim>
  program::CaseSize
  case_size(const program::CaseSize &common, const LinearSolver &solver,
            const Backend backend, const Mesh<dim> &mesh, const int degree,
            const double n_times, const Discretization<dim> *const d)
  {
    program::CaseSize size = common;
    size.backend           = backend;
    size.cell_type         = mesh.cell_type();
    size.has_divider =
      common.has_divider || (common.distributed && is_simplex(size.cell_type));
    size.degree  = degree;
    size.n_cells = std::exp2(dim * n_times) *
                   static_cast<double>(d != nullptr ? d->entry.problem.cells
                                                    : mesh.n_cells());
    size.operator_name = solver.operator_name;
    size.number_bytes  = solver.number == "float" ? 4 : 8;
    size.route         = solver.assembly.route.value_or(
              default_route(solver.operator_name, size.cell_type, degree,
                            size.n_components, backend, solver.assembly.conflict));
    size.storage        = solver.assembly.storage;
    size.inner_operator = solver.inner_name();
    if (d != nullptr)
      {
        size.geometry  = d->geometry;
        size.n_varying = d->n_varying;
        if (d->space)
          size.state_bytes = d->state_bytes / d->space->n_cells();
      }
    PreconditionerQuestion question;
    question.shape = {backend, size.cell_type, degree, size.n_components,
                      program::MemoryEstimate(size).n_dofs};
    question.several_processes = size.n_processes > 1;
    question.hanging_nodes     = d != nullptr && d->hangs;
    question.steps_in_time     = d != nullptr && d->steps_in_time;
    question.fits = [&](const std::string &name) { return fits(size, name); };
    const auto choice           = solver.choose(question);
    size.preconditioner         = choice.last();
    size.preconditioner_options = choice.options;
    return size;
  }


  template <int dim>
  void
  Discretization<dim>::choose_preconditioner(const program::CaseSize &common)
  {
    if (!space) // there is nothing to solve
      return;
    const auto size =
      case_size(common, solver, backend, mesh, entry.problem.degree, 0, this);
    DiscreteProblem::choose_preconditioner(
      [&](const std::string &name) { return fits(size, name); });
  }


  template <int dim>
  void
  Discretization<dim>::build(const std::function<Constraints()> &of_boundaries,
                             const bool all_free, const int n_components)
  {
    if (division != nullptr && all_free)
      throw ParameterError(
        "'Boundary conditions/Elimination' = after is for "
        "one process; legal for several is before.");
    const int degree         = entry.problem.degree;
    const CellType cell_type = mesh.cell_type();
    entry.phases.mesh        = timer.lap();

    const std::string wanted = parameters.get("Mesh/Geometry");
    const bool curves =
      mesh.quadratic ? degree > 1 : mesh.curved && !is_simplex(cell_type);
    geometry = wanted != "auto" ? geometry_from_string(wanted)
               : curves         ? Geometry::quadrature
                                : Geometry::vertices;
    if (wanted == "quadrature" && is_simplex(cell_type) && !mesh.quadratic)
      note_straight_cells(cell_type);
    mapping = mesh.make_mapping(geometry == Geometry::quadrature ? degree : 1);
    fe      = make_element<dim>(cell_type, degree);
    if (n_components > 1)
      fe = std::make_unique<dealii::FESystem<dim>>(*fe, n_components);
    forget_dofs();
    // Meshes that adapt keep the numbers of deal.II, which moves their fields.
    arrays =
      division == nullptr && parameters.get("Mesh/Refinement") != "adaptive"
        ? mesh.arrays()
        : nullptr;
    if (arrays)
      nodes = number(*arrays, degree);
    else
      dof_handler();
    if (division != nullptr)
      share_dofs();
    entry.phases.dofs = timer.lap();

    hangs = !arrays &&
            nodes_hang(mesh.triangulation(), distributed ? division : nullptr);
    const Constraints all = constraints(of_boundaries);
    collectively([&]() {
      flat = arrays ? flatten<dim>(
                        *arrays, nodes, n_components, all, geometry, *mapping,
                        [this]() -> const auto & {
                          return std::as_const(mesh).triangulation();
                        })
                    : flatten(*mapping, all_dofs, all, geometry);
    });
    entry.problem.dim       = dim;
    entry.problem.cell_type = to_string(cell_type);
    entry.problem.numbering = parameters.get("Finite element/Numbering");
    count_problem();
    if (entry.problem.dofs == 0)
      throw NothingToSolve(
        "All " + std::to_string(flat.connectivity.constrained.size()) +
        " degrees of freedom of the mesh are constrained, but at least one "
        "must be free.");

    if (division == nullptr)
      space = std::make_shared<const Space>(numbered(
        flat.connectivity, all_free, parameters,
        [](const auto &...arguments) { return build_space(arguments...); }));
    else
      {
        if (!distributed)
          flat.connectivity.check(); // all processes find the same mistake
        const MeshNodes nodes = shared_nodes();
        Part part;
        collectively([&]() {
          part =
            numbered(flat.connectivity, all_free, parameters,
                     [&](const Connectivity &known, const auto &...arguments) {
                       return make_part(known, local_cells, division->rank(),
                                        nodes, arguments...);
                     });
        });
        shared = division->processes().agree(part.plans, part.owned);
        space  = std::make_shared<const Space>(std::move(part.space));
      }
    eliminates           = all_free;
    entry.phases.flatten = timer.lap();
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
    if (all_cells || !arrays || mesh.curved || all_dofs.has_active_dofs())
      return dof_handler();
    if (!boundary_cells_known)
      boundary_cells_known =
        std::make_unique<const BoundaryCells<dim>>(*arrays, nodes, *fe);
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
  dealii::AffineConstraints<double>
  Discretization<dim>::constraints(
    const std::function<Constraints()> &of_boundaries) const
  {
    Constraints all;
    collectively([&]() { all = of_boundaries(); });
    if (distributed)
      return distributed_constraints(all_dofs, all, *division, dofs, *exchange);
    if (!arrays && mesh.triangulation().has_hanging_nodes())
      {
        all.merge(hanging_constraints(all_dofs),
                  Constraints::right_object_wins);
        all.close();
      }
    return all;
  }


  template <int dim>
  void
  Discretization<dim>::check_memory(const std::string &what,
                                    const std::string &advice) const
  {
    program::CaseSize common;
    common.n_components = static_cast<int>(fe->n_components());
    if (division != nullptr)
      division->share(common);
    common.distributed = distributed != nullptr;
    program::CaseSize size =
      case_size(common, solver, backend, mesh, entry.problem.degree, 0, this);
    std::vector<double> n_cells(1, static_cast<double>(mesh.n_cells()));
    if (distributed)
      {
        n_cells[0] = 0;
        for (const auto &cell : mesh.triangulation().active_cell_iterators())
          n_cells[0] += is_here(division, cell);
        sum_up(division, n_cells);
      }
    size.n_cells = n_cells[0];
    collectively([&]() {
      program::MemoryEstimate(size).check(
        what, backend == Backend::cuda ? runtime::current_device() : 0, advice);
    });
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
    const auto &given = flat.connectivity.constrained;
    std::vector<double> counts{
      double(mesh.n_cells()),
      double(std::count(given.begin(), given.end(), 0)) -
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
    for (const auto id : boundary_ids(mesh.coarser()))
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


  template struct Discretization<2>;
  template struct Discretization<3>;
  template program::CaseSize
  case_size(const program::CaseSize &, const LinearSolver &, Backend,
            const Mesh<2> &, int, double, const Discretization<2> *);
  template program::CaseSize
  case_size(const program::CaseSize &, const LinearSolver &, Backend,
            const Mesh<3> &, int, double, const Discretization<3> *);
} // namespace tessera

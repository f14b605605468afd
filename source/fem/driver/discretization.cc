#include "../mesh/mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/driver/adaptive_refinement.h>
#include <tessera/fem/driver/discretization.h>
#include <tessera/program/choices.h>
#include <tessera/program/started_processes.h>

#include <tessera/base/device_memory.h>
#include <tessera/base/host_memory.h>
#include <tessera/base/runtime.h>
#include <tessera/operators/factory.h>
#include <tessera/parallel/messages.h>

#include <deal.II/base/utilities.h>

#include <deal.II/fe/fe_system.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
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
      if (!all_free)
        return with(mesh);
      Connectivity free = mesh;
      std::fill(free.constrained.begin(), free.constrained.end(), 0);
      return with(free);
    }


    /// Returns true if a cell of a distributed mesh, of which this process
    /// knows a part, is larger than a neighbour.
    template <int dim>
    bool
    nodes_hang(const dealii::Triangulation<dim> &triangulation,
               const Division &division)
    {
      bool found = false;
      for (const auto &cell : triangulation.active_cell_iterators())
        for (const unsigned int f : cell->face_indices())
          found =
            found || (is_own(division, cell) && cell->face(f)->has_children());
      return division.processes().any(found);
    }


    /// Says once that a geometry does not curve the cells.
    void
    note_straight_cells(const CellType type)
    {
      if (program::is_first_said("straight cells")) // in all degrees and cycles
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
      "curved meshes, otherwise vertices");
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
    size.library           = bytes_of_deal_ii(size.cell_type);
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
    if (size.n_processes > 1 && mesh.curved) // see `build`
      {
        size.has_arrays   = false;
        size.library_mesh = program::LibraryMesh::all;
      }
    if (d != nullptr)
      {
        // A mesh that is not refined yet may be refined as arrays later, and
        // one process stands for several here if it is not divided.
        if (n_times == 0 && size.n_processes == d->division.n_processes())
          {
            size.has_arrays   = d->arrays != nullptr;
            size.library_mesh = d->deal_ii_cells();
          }
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
  Discretization<dim>::Discretization(Discretization &d, const int degree)
    : Discretization(d.parameters, d.solver, d.of_case)
  {
    backend              = d.backend;
    division             = d.division;
    cycle                = d.cycle;
    entry.problem.degree = degree;
  }


  template <int dim>
  void
  Discretization<dim>::make_mesh()
  {
    if (division.n_processes() > 1)
      of_case->distributed = DistributedMesh<dim>::make(
        mesh(), parameters, cycle, division, backend);
    else
      tessera::make_mesh(mesh(), parameters, cycle, backend);
  }


  template <int dim>
  void
  Discretization<dim>::choose_preconditioner(const program::CaseSize &common)
  {
    if (!space) // there is nothing to solve
      return;
    const auto size =
      case_size(common, solver, backend, mesh(), entry.problem.degree, 0, this);
    SolverCase::choose_preconditioner(
      [&](const std::string &name) { return fits(size, name); });
  }


  template <int dim>
  void
  Discretization<dim>::build(const std::function<Constraints()> &of_boundaries,
                             const bool all_free, const int n_components)
  {
    const bool several       = division.n_processes() > 1;
    const int degree         = entry.problem.degree;
    const CellType cell_type = mesh().cell_type();
    entry.phases.mesh        = timer.lap();

    const std::string wanted = parameters.get("Mesh/Geometry");
    const bool curves =
      mesh().quadratic ? degree > 1 : mesh().curved && !is_simplex(cell_type);
    geometry = wanted != "auto" ? geometry_from_string(wanted)
               : curves         ? Geometry::quadrature
                                : Geometry::vertices;
    if (wanted == "quadrature" && is_simplex(cell_type) && !mesh().quadratic)
      note_straight_cells(cell_type);
    mapping =
      mesh().make_mapping(geometry == Geometry::quadrature ? degree : 1);
    fe = make_element<dim>(cell_type, degree);
    if (n_components > 1)
      fe = std::make_unique<dealii::FESystem<dim>>(*fe, n_components);
    forget_dofs();
    // The nodes of all cells of arrays are counted in 31 bits.
    const bool fits_arrays = double(n_nodes(cell_type, degree)) *
                               static_cast<double>(mesh().n_cells()) <
                             std::numeric_limits<int>::max();
    // Cells that are curved are known to deal.II where processes share them.
    arrays = fits_arrays && !mesh().hangs() && !mesh_adapts(parameters) &&
                 (!several || (distributed() && !mesh().curved))
               ? mesh().arrays()
               : nullptr;
    if (arrays)
      nodes = number(*arrays, degree);
    else
      dof_handler();
    if (several)
      share_dofs();
    entry.phases.dofs = timer.lap();

    hangs =
      !arrays && (distributed() ? nodes_hang(mesh().triangulation(), division)
                                : mesh().hangs());
    const Constraints all = constraints(of_boundaries);
    collectively([&]() {
      flat = arrays ? flatten<dim>(
                        *arrays, nodes, n_components, all, geometry, *mapping,
                        [this]() {
                          return mesh().is_coarser()
                                   ? nullptr
                                   : &std::as_const(mesh()).triangulation();
                        },
                        triangulate_cells())
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

    if (!several)
      space = std::make_shared<const Space>(numbered(
        flat.connectivity, all_free, parameters,
        [](const auto &...arguments) { return build_space(arguments...); }));
    else
      {
        if (!distributed())
          flat.connectivity.check(); // all processes find the same mistake
        const MeshNodes nodes = shared_nodes();
        Part part;
        collectively([&]() {
          part =
            numbered(flat.connectivity, all_free, parameters,
                     [&](const Connectivity &known, const auto &...arguments) {
                       return make_part(known, local_cells, division.rank(),
                                        nodes, arguments...);
                     });
        });
        others = std::make_shared<const OtherParts>(
          OtherParts{make_messages(division.processes()), division.transport(),
                     division.processes().agree(part.plans, part.owned)});
        space = std::make_shared<const Space>(std::move(part.space));
      }
    eliminates           = all_free;
    entry.phases.flatten = timer.lap();
  }


  template <int dim>
  dealii::AffineConstraints<double>
  Discretization<dim>::constraints(
    const std::function<Constraints()> &of_boundaries) const
  {
    Constraints all;
    collectively([&]() { all = of_boundaries(); });
    if (distributed())
      all = shared_constraints(all, *dofs);
    if (!arrays && mesh().hangs())
      {
        all.merge(hanging_constraints(all_dofs, mesh_division()),
                  Constraints::right_object_wins);
        all.close();
      }
    return all;
  }


  template <int dim>
  void
  Discretization<dim>::end_output()
  {
    entry.phases.output = timer.lap();
    const auto number   = [](const std::uint64_t bytes) {
      return static_cast<std::int64_t>(bytes);
    };
    entry.parameters["host_peak_bytes"] = number(host_memory_peak());
    if (backend == Backend::cuda)
      entry.parameters["device_peak_bytes"] = number(device_memory_peak());
    constexpr const char *names[] = {"none", "mesh", "all"};
    entry.parameters["deal_ii_cells"] =
      std::string(names[static_cast<int>(deal_ii_cells())]);
  }


  template <int dim>
  void
  Discretization<dim>::check_memory(const std::string &what,
                                    const std::string &advice) const
  {
    program::CaseSize common;
    common.n_components = static_cast<int>(fe->n_components());
    division.share(common);
    common.distributed = distributed() != nullptr;
    program::CaseSize size =
      case_size(common, solver, backend, mesh(), entry.problem.degree, 0, this);
    std::vector<double> n_cells(1, static_cast<double>(mesh().n_cells()));
    if (distributed())
      {
        n_cells[0] = static_cast<double>(std::count(
          mesh().owner.begin(), mesh().owner.end(), division.rank()));
        sum_up(division, n_cells);
      }
    size.n_cells = n_cells[0];
    collectively([&]() {
      program::MemoryEstimate(size).check(
        what, backend == Backend::cuda ? runtime::current_device() : 0, advice);
    });
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

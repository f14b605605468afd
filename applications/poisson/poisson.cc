#include "poisson.h"

#include <tessera/assembly/assemble.h>
#include <tessera/base/error.h>
#include <tessera/base/runtime.h>
#include <tessera/dealii/flux.h>
#include <tessera/matrices/store_matrix.h>
#include <tessera/operators/factory.h>
#include <tessera/study/program.h>
#include <tessera/study/table.h>
#include <tessera/study/timing.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <algorithm>
#include <iostream>
#include <limits>

using namespace tessera;

namespace
{
  /// The space in which constrained degrees of freedom are known from the
  /// start, or free until they are eliminated.
  Space
  make_space(const Connectivity &mesh, const bool all_free,
             const Numbering numbering, const CellOrder cell_order,
             const int block_side)
  {
    if (!all_free ||
        std::count(mesh.constrained.begin(), mesh.constrained.end(), 0) == 0)
      return build_space(mesh, numbering, cell_order, block_side);
    Connectivity free = mesh;
    std::fill(free.constrained.begin(), free.constrained.end(), 0);
    return build_space(free, numbering, cell_order, block_side);
  }
} // namespace


template <int dim>
void
Poisson<dim>::choose_backend(const study::CommandLine &line)
{
  const BackendChoice choice =
    tessera::choose_backend(line.backend, line.device);
  backend = choice.backend;
  std::cerr << "backend " << to_string(backend) << ": " << choice.reason
            << std::endl;
  check_options(operator_name, backend, assembly);
}


template <int dim>
void
Poisson<dim>::run(const study::CommandLine &line, study::Record &record)
{
  choose_backend(line);
  record.set_parameters(parameters.values());
  record.set_seed(parameters.get_integer("Mesh/Distortion seed"));
  if (backend == Backend::cuda)
    record.set_device(runtime::properties(line.device));
  study::Record::check_folder(line.output_folder);
  if (!line.export_matrix.empty())
    check_can_store(line.export_matrix);
  writer = std::make_unique<SolutionWriter<dim>>(line.output_folder);
  check_refinements(line);

  const auto conclude = [&](const bool complete) {
    if (record.path().empty())
      return;
    report.print(std::cout);
    for (const std::string &sentence : missed)
      std::cout << "FAIL: " << sentence << '\n';
    if (complete && missed.empty() && validation.wanted())
      std::cout << "PASS: all errors and rates asked for are reached.\n";
    std::cout << "Record: " << record.path() << '\n'
              << "Open "
              << (writer->file().empty() ? record.path() : writer->file())
              << std::endl;
  };
  try
    {
      for (std::size_t d = 0; d < degrees.size(); ++d)
        for (int cycle = 0; cycle < n_cycles; ++cycle)
          solve_case(d, cycle, line, record);
    }
  catch (...)
    {
      conclude(false);
      throw;
    }
  conclude(true);
  if (!missed.empty())
    throw ValidationFailed(missed.front());
}


template <int dim>
std::unique_ptr<typename Poisson<dim>::Discretization>
Poisson<dim>::discretize(const int degree, const int cycle,
                         study::Phases &phases,
                         std::ostream *const summary) const
{
  study::Timer timer;
  auto result       = std::make_unique<Discretization>();
  Discretization &d = *result;
  make_mesh(d.mesh, parameters, cycle);
  if (summary != nullptr) // before anything asks for ids that it shows
    print_summary(d.mesh, *summary);
  const CellType cell_type = d.mesh.cell_type();
  check_degree(cell_type, degree);
  check_connected_parts(d.mesh, boundary.fixed_boundaries(d.mesh));
  phases.mesh = timer.lap();

  d.geometry = geometry != "auto" ? geometry_from_string(geometry)
               : d.mesh.curved && !is_simplex(cell_type) ? Geometry::quadrature
                                                         : Geometry::vertices;
  d.mapping =
    d.mesh.make_mapping(d.geometry == Geometry::quadrature ? degree : 1);
  d.fe = make_element<dim>(cell_type, degree);
  d.dof_handler.reinit(d.mesh.triangulation);
  d.dof_handler.distribute_dofs(*d.fe);
  phases.dofs = timer.lap();

  d.flat         = flatten(*d.mapping, d.dof_handler,
                           boundary.constraints(d.mesh, *d.mapping, d.dof_handler),
                           d.geometry);
  d.faces        = boundary.faces(d.mesh, *d.mapping, d.dof_handler);
  d.space        = std::make_shared<const Space>(make_space(
           d.flat.connectivity, eliminate_after, numbering, cell_order, block_side));
  phases.flatten = timer.lap();

  d.kappa             = kappa.coefficient(d.mesh, *d.space);
  d.source            = source.coefficient(d.mesh, *d.space);
  phases.coefficients = timer.lap();
  return result;
}


template <int dim>
void
Poisson<dim>::solve_case(const std::size_t degree_index, const int cycle,
                         const study::CommandLine &line, study::Record &record)
{
  const int degree        = degrees[degree_index];
  const std::string label = "degree " + std::to_string(degree) + ", cycle " +
                            std::to_string(cycle + 1) + " of " +
                            std::to_string(n_cycles);
  study::throw_if_interrupted();
  progress(label + ": mesh", false);

  study::Case entry;
  entry.name = line.case_name() + "_p" + std::to_string(degree) + "_c" +
               std::to_string(cycle);
  const auto d            = discretize(degree, cycle, entry.phases,
                            record.path().empty() ? &std::cout : nullptr);
  entry.problem.dim       = dim;
  entry.problem.cell_type = to_string(d->mesh.cell_type());
  entry.problem.degree    = degree;
  entry.problem.numbering = to_string(numbering);
  if (record.path().empty())
    {
      sampling.check(*d->mapping, d->mesh.triangulation);
      if (n_refinements() == 0)
        check_memory(d->mesh, 0, line);
      record.open(line.output_folder);
    }

  const bool last = degree_index + 1 == degrees.size() && cycle + 1 == n_cycles;
  const std::string matrix_file = last ? line.export_matrix : "";
  const Solution solution       = number == "float"
                                    ? solve<float>(*d, matrix_file, entry)
                                    : solve<double>(*d, matrix_file, entry);
  study::Timer timer;
  const Resolution resolution =
    evaluate(*d, solution, line.output_folder, cycle, entry);
  entry.phases.output = timer.lap();
  if (cycle + 1 == n_cycles && validation.wanted())
    {
      const auto sentences = validation.missed(entry, degree_index, resolution);
      entry.results.passed = sentences.empty();
      missed.insert(missed.end(), sentences.begin(), sentences.end());
    }
  report.add(entry, cycle);
  record.add(entry);

  const CGResult &result = solution.result;
  progress(label + ": " + std::to_string(entry.problem.dofs) + " DoFs, " +
             std::to_string(result.iterations) + " iterations",
           true);
  if (result.interrupted)
    study::throw_if_interrupted();
  if (!result.converged)
    throw NotConverged("Conjugate gradients ended after " +
                       std::to_string(result.iterations) + " iterations (" +
                       label + ") with a residual of " +
                       study::format(result.residual) +
                       (result.iterations < control.max_iterations
                          ? ", which rounding does not let fall further; raise "
                            "'Solver/Relative tolerance'."
                          : "; raise 'Solver/Maximal iterations' or "
                            "'Solver/Relative tolerance'."));
}


template <int dim>
Resolution
Poisson<dim>::evaluate(const Discretization &d, const Solution &solution,
                       const std::string &folder, const int cycle,
                       study::Case &entry)
{
  const dealii::Vector<double> u(solution.values.begin(),
                                 solution.values.end());
  dealii::Vector<double> error;
  typename SolutionWriter<dim>::Fields fields;
  fields.nodal.emplace_back("solution", &u);
  Resolution resolution;
  study::Results &results = entry.results;
  if (exact)
    {
      const ErrorNorms norms =
        error_norms(*d.mapping, d.dof_handler, u, *exact);
      const auto resolved = [&](const double error, const double norm) {
        return !below_resolution(
          error, norm, solution.result.iterations, control.relative_tolerance,
          number == "float" ? std::numeric_limits<float>::epsilon()
                            : std::numeric_limits<double>::epsilon());
      };
      results.L2_error = norms.L2;
      results.H1_error = norms.H1;
      resolution.L2    = resolved(norms.L2, norms.L2_of_exact);
      resolution.H1    = resolved(norms.H1, norms.H1_of_exact);
      if (cycle > 0)
        {
          const study::Case &before = *report.last_of(entry.problem.degree);
          const auto rate           = [&](const double a, const double b) {
            return convergence_rate(a, b, before.problem.cells,
                                              entry.problem.cells, dim);
          };
          results.L2_rate = rate(before.results.L2_error, norms.L2);
          results.H1_rate = rate(before.results.H1_error, norms.H1);
        }
      error.reinit(u.size());
      dealii::VectorTools::interpolate(*d.mapping, d.dof_handler, *exact,
                                       error);
      error.sadd(-1., u);
      fields.nodal.emplace_back("error", &error);
    }
  if (parameters.get_bool("Output/Fluxes"))
    results.fluxes = fluxes(d, u);

  const std::string name =
    "p" + std::to_string(entry.problem.degree) + "_c" + std::to_string(cycle);
  const auto probes =
    sampling.write(*d.mapping, d.dof_handler, u, folder, name);
  for (std::size_t i = 0; i < probes.size(); ++i)
    {
      const auto &point = sampling.probe_points()[i];
      results.probes.push_back(
        {std::vector<double>(point.begin_raw(), point.end_raw()), probes[i]});
    }
  if (parameters.get_bool("Output/VTU"))
    writer->write(*d.mapping, d.dof_handler, fields,
                  subdivisions == 0 ? entry.problem.degree : subdivisions,
                  "solution_" + name);
  return resolution;
}


template <int dim>
std::vector<study::Flux>
Poisson<dim>::fluxes(const Discretization &d,
                     const dealii::Vector<double> &u) const
{
  const auto expressions = kappa.expressions_of_cells(d.mesh);
  const typename MaterialExpression<dim>::Evaluator evaluator(kappa);
  const FluxProblem<dim> problem{
    *d.mapping,
    d.dof_handler,
    u,
    *d.space,
    d.kappa,
    d.source,
    d.faces,
    boundary.dirichlet_boundaries(d.mesh),
    [&](const auto &cell, const dealii::Point<dim> &p) {
      return evaluator.tensor(expressions[cell->active_cell_index()], p);
    }};
  std::vector<study::Flux> result;
  for (const auto &[id, value] : boundary_fluxes(problem))
    {
      std::string names;
      for (const auto &[name, named] : d.mesh.boundary_names)
        if (named.count(id) > 0)
          names += (names.empty() ? "" : ", ") + name;
      result.push_back({id, names, value});
    }
  return result;
}


template class Poisson<2>;
template class Poisson<3>;

#include "poisson.h"

#include <tessera/assembly/load_vector.h>
#include <tessera/base/error.h>
#include <tessera/base/runtime.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lift.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/study/program.h>
#include <tessera/study/table.h>
#include <tessera/study/timing.h>

#include <deal.II/fe/fe_q.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace tessera;

namespace
{
  /// One line on stderr: overwritten on a terminal, else only when `done`.
  void
  progress(const std::string &text, const bool done)
  {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    if (terminal)
      std::cerr << "\r\033[K" << text << (done ? "\n" : "") << std::flush;
    else if (done)
      std::cerr << text << std::endl;
  }
} // namespace


void
Poisson::validate(std::ostream &out)
{
  Mesh mesh;
  make_mesh(mesh, parameters);
  boundary.check(mesh);
  const dealii::FE_Q<2> fe(degrees.front());
  dealii::DoFHandler<2> dof_handler(mesh.triangulation);
  dof_handler.distribute_dofs(fe);
  const FlatProblem flat =
    flatten(dof_handler, boundary.constraints(mesh, dof_handler));
  const Space space   = build_space(flat.connectivity, numbering, cell_order);
  const Coefficient k = make_tensor(kappa, space);
  const Coefficient f = make_coefficient(source, space);

  // Of the last cycle and the highest degree p: p^2 degrees of freedom a cell,
  // (p^2 + 2p)^2 nonzeros a cell, n = (p+1)^2 entries a row of a cell matrix.
  const double p     = *std::max_element(degrees.begin(), degrees.end());
  const double n     = (p + 1) * (p + 1);
  const double bytes = number == "float" ? 4. : 8.;
  const double cells =
    std::ldexp(mesh.triangulation.n_active_cells(), 2 * (n_cycles - 1));
  const auto varying = [n](const Coefficient &c) {
    return c.kind == Coefficient::Kind::uniform ? 0. : n * c.n_components;
  };
  double per_cell =
    bytes * (8. * p * p + varying(k) + varying(f)) + 4. * n + 32.;
  if (operator_name == "csr")
    per_cell += (p * p + 2 * p) * (p * p + 2 * p) * (bytes + 4.) + 2. * n * n;
  else if (operator_name == "local_matrices")
    per_cell += n * n * bytes;
  else if (operator_name == "local_matrices_symmetric")
    per_cell += n * (n + 1) / 2 * bytes;

  const auto count = [](const double value) {
    return study::format_count(std::llround(value));
  };
  out << "The first mesh, " << mesh.source << ", has "
      << count(mesh.triangulation.n_active_cells())
      << " cells and the boundaries " << mesh.list_boundaries() << ".\n"
      << "The largest case has about " << count(cells) << " cells, "
      << count(cells * p * p) << " degrees of freedom and needs about "
      << count(std::ceil(cells * per_cell / 1024. / 1024.))
      << " MiB on the backend.\n"
      << "VALID: nothing was solved." << std::endl;
}


void
Poisson::run(const study::CommandLine &line, study::Record &record)
{
  const BackendChoice choice = choose_backend(line.backend, line.device);
  backend                    = choice.backend;
  std::cerr << "backend " << to_string(backend) << ": " << choice.reason
            << std::endl;
  record.set_parameters(parameters.values());
  record.set_seed(parameters.get_integer("Mesh/Distortion seed"));
  if (backend == Backend::cuda)
    record.set_device(runtime::properties(line.device));
  record.open(line.output_folder);
  SolutionWriter writer(line.output_folder);

  const auto conclude = [&](const bool complete) {
    report.print(std::cout);
    for (const std::string &sentence : missed)
      std::cout << "FAIL: " << sentence << '\n';
    if (complete && missed.empty() && validation.wanted())
      std::cout << "PASS: all errors and rates asked for are reached.\n";
    std::cout << "Record: " << record.path() << '\n'
              << "Open "
              << (writer.file().empty() ? record.path() : writer.file())
              << std::endl;
  };
  try
    {
      for (std::size_t d = 0; d < degrees.size(); ++d)
        for (int cycle = 0; cycle < n_cycles; ++cycle)
          solve_case(d, cycle, line, record, writer);
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


void
Poisson::solve_case(const std::size_t degree_index, const int cycle,
                    const study::CommandLine &line, study::Record &record,
                    SolutionWriter &writer)
{
  const int degree        = degrees[degree_index];
  const std::string label = "degree " + std::to_string(degree) + ", cycle " +
                            std::to_string(cycle + 1) + " of " +
                            std::to_string(n_cycles);
  study::throw_if_interrupted();
  progress(label + ": mesh", false);

  study::Case entry;
  study::Timer timer;
  const auto lap = [&timer](double &phase) {
    phase = timer.seconds();
    timer.restart();
  };
  entry.name = line.case_name() + "_p" + std::to_string(degree) + "_c" +
               std::to_string(cycle);
  entry.problem.degree    = degree;
  entry.problem.numbering = to_string(numbering);

  Mesh mesh;
  make_mesh(mesh, parameters, cycle);
  boundary.check(mesh);
  lap(entry.phases.mesh);

  const dealii::FE_Q<2> fe(degree);
  dealii::DoFHandler<2> dof_handler(mesh.triangulation);
  dof_handler.distribute_dofs(fe);
  const auto constraints = boundary.constraints(mesh, dof_handler);
  lap(entry.phases.dofs);
  const FlatProblem flat = flatten(dof_handler, constraints);
  lap(entry.phases.flatten);

  const Solution solution =
    number == "float" ? solve<float>(flat, entry) : solve<double>(flat, entry);
  timer.restart();
  const dealii::Vector<double> u(solution.values.begin(),
                                 solution.values.end());
  dealii::Vector<double> error;
  std::vector<SolutionWriter::Field> fields = {{"solution", &u}};
  if (exact)
    {
      const ErrorNorms norms = error_norms(dof_handler, u, *exact);
      entry.results.L2_error = norms.L2;
      entry.results.H1_error = norms.H1;
      if (cycle > 0)
        {
          const study::Case &before = *report.last_of(degree);
          const auto rate           = [&](const double a, const double b) {
            return convergence_rate(a, b, before.problem.cells,
                                              entry.problem.cells);
          };
          entry.results.L2_rate = rate(before.results.L2_error, norms.L2);
          entry.results.H1_rate = rate(before.results.H1_error, norms.H1);
        }
      error.reinit(u.size());
      dealii::VectorTools::interpolate(dof_handler, *exact, error);
      error.sadd(-1., u);
      fields.emplace_back("error", &error);
    }
  if (parameters.get_bool("Output/VTU"))
    writer.write(dof_handler, fields,
                 "solution_p" + std::to_string(degree) + "_c" +
                   std::to_string(cycle));
  lap(entry.phases.output);
  if (cycle + 1 == n_cycles && validation.wanted())
    {
      const auto sentences = validation.missed(entry, degree_index);
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


/// Divides b by its largest owned entry, which is returned (1 for b = 0): the
/// squares in the solver then neither overflow nor vanish, whatever the units.
template <class Number>
double
normalize(Vector<Number> &b)
{
  std::vector<Number> values = b.to_vector();
  double size                = 0;
  for (int i = 0; i < b.n_owned(); ++i)
    size = std::max(size, std::abs(static_cast<double>(values[i])));
  if (!std::isfinite(size))
    throw ParameterError(
      "The right-hand side overflows the number type of "
      "'Operator/Number'; choose other units or double.");
  if (size == 0)
    return 1;
  for (Number &value : values)
    value = static_cast<Number>(value / size);
  b.copy_from(values);
  return size;
}


template <class Number>
Poisson::Solution
Poisson::solve(const FlatProblem &flat, study::Case &entry) const
{
  study::Timer timer;
  const auto lap = [&timer](double &phase) {
    phase = timer.seconds();
    timer.restart();
  };
  double &flatten_time = entry.phases.flatten;
  const auto shared    = std::make_shared<const Space>(
    build_space(flat.connectivity, numbering, cell_order));
  const Space &space = *shared;
  flatten_time += timer.seconds();
  entry.problem.cells = space.n_cells();
  entry.problem.dofs  = space.n_owned;

  timer.restart();
  const auto cells = std::make_shared<const CellData<Number>>(shared, backend);
  const Coefficient k = make_tensor(kappa, space);
  const Coefficient f = make_coefficient(source, space);
  lap(entry.phases.upload);

  AssemblyTiming timing;
  AssemblyOptions options = assembly;
  options.timing          = &timing;
  const auto A = make_operator<Number>(operator_name, cells, k, options);
  entry.phases.pattern  = timing.pattern;
  entry.phases.assembly = timing.values;
  timer.restart();

  auto b = cells->make_vector();
  auto g = cells->make_vector();
  std::vector<Number> values(space.n_local());
  for (int i = space.n_owned; i < space.n_owned + space.n_constrained; ++i)
    values[i] = static_cast<Number>(flat.boundary_values[space.mesh_dof[i]]);
  g.copy_from(values);
  add_load_vector(b, *cells, f,
                  assembly.conflict.value_or(default_conflict(backend)));
  lift<Number>(b, g, cells, k);
  const double size = normalize(b);

  const Jacobi<Number> preconditioner(*A);
  CG<Number> cg(*A, preconditioner);
  auto x = cells->make_vector();
  lap(entry.phases.setup);

  CGControl watched = control;
  watched.progress  = [&entry](const int iteration, const double residual) {
    progress("degree " + std::to_string(entry.problem.degree) + ", " +
                std::to_string(entry.problem.dofs) + " DoFs: iteration " +
                std::to_string(iteration) + ", residual " +
                study::format(residual),
              false);
    return !study::interrupted();
  };
  Solution solution{flat.boundary_values, cg.solve(x, b, watched)};
  solution.result.residual *= size;
  lap(entry.phases.solve);

  values = x.to_vector();
  for (int i = 0; i < space.n_owned; ++i)
    solution.values[space.mesh_dof[i]] = size * values[i];
  entry.results.iterations = solution.result.iterations;
  entry.results.converged  = solution.result.converged;
  entry.results.residual   = solution.result.residual;
  return solution;
}

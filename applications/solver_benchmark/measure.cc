#include "measure.h"

#include <tessera/base/counted.h>
#include <tessera/program/program.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>

using namespace tessera;

namespace
{
  /// The largest of the deviations over their limits; 1 is right.
  double
  largest_deviation(const program::Solve &solve, const System &system,
                    const Accuracy &accuracy, const SolverStudy &study)
  {
    const bool known = !system.x.empty();
    double result    = 0;
    if (known)
      result = accuracy.deviation /
               (study.error_limit * accuracy.eps * system.rounding_scale +
                system.residual_of_solution);
    if (!solve.converged)
      return result;
    const double reachable =
      1.001 * study.relative_tolerance +
      10 * (accuracy.eps + (known ? accuracy.deviation : 0.));
    const auto include = [&](const double ratio) {
      result = ratio <= result        ? result
               : std::isfinite(ratio) ? ratio
                                      : std::numeric_limits<double>::infinity();
    };
    include(solve.true_residual / reachable);
    if (known)
      include(solve.error / (study.largest_condition *
                             (solve.true_residual +
                              system.residual_of_solution + accuracy.eps)));
    return result;
  }

  /// Sets the true residual. Solvers of others stop by its plain norm, which
  /// one large entry of b makes small: then they have not converged.
  void
  set_residual(program::Row &row, const System::Residual &residual)
  {
    program::Solve &solve = *row.solve;
    solve.true_residual   = residual.largest();
    if (row.library == "tessera" || !solve.converged)
      return;
    const bool is_small =
      residual.scaled <= 100 * std::max(solve.tolerance, residual.plain);
    if (is_small)
      {
        solve.true_residual = residual.plain;
        return;
      }
    solve.converged = false;
    solve.end =
      "It stopped by |b - A x| / |b|, but divided by the diagonal of "
      "A the residual is " +
      program::format(residual.scaled) + " of the right-hand side.";
  }
} // namespace


namespace
{
  benchmarks::Cells
  line_of_solve(const program::Row &row)
  {
    using program::format, program::format_count;
    const program::Solve &solve = row.solve.value();
    const auto degree           = row.parameters.find("polynomial_degree");
    return {
      row.case_name,
      row.number,
      benchmarks::operator_of(row),
      solve.preconditioner +
        (degree == row.parameters.end()
           ? ""
           : " " + std::to_string(std::get<std::int64_t>(degree->second))),
      solve.method,
      row.backend,
      format_count(row.dofs),
      !solve.iterations
        ? "-"
        : format_count(*solve.iterations) + (solve.converged ? "" : " !"),
      format(row.setup_seconds),
      format(solve.solve_seconds),
      format(1e6 * solve.iteration_seconds, 4),
      format(1e-6 * solve.iteration_bytes),
      benchmarks::percent(row.fraction_of_model),
      format(solve.true_residual, 2),
      format(solve.error, 2),
      format(solve.t10),
      ""};
  }
} // namespace


const benchmarks::Layout &
solve_layout()
{
  using benchmarks::words;
  static const benchmarks::Layout layout = {
    {words("problem"),
     words("number"),
     words("operator"),
     words("preconditioner"),
     words("method"),
     words("backend"),
     {"DoFs"},
     {"iterations"},
     {"setup", "s"},
     {"solve", "s"},
     {"iteration", "us"},
     {"model", "MB"},
     {"model", "%"},
     {"residual"},
     {"error"},
     {"t10", "s"},
     words("")},
    line_of_solve,
    [](const program::Row &row) {
      return program::format(row.solve->solve_seconds, 3) + " s, " +
             counted(row.solve->iterations.value_or(0), "iteration");
    },
    "residual: |b - A x| / |b| or, if it is larger, the same divided by the "
    "diagonal of A; error: |x - x*| / |x*|; t10: seconds for ten orders of "
    "magnitude of the residual; !: not converged",
    true,
    false};
  return layout;
}


template <class Number>
void
measure_solver(program::Row &row, benchmarks::Solver<Number> &solver,
               const System &system, const Accuracy &accuracy,
               const SolverStudy &study, const benchmarks::Report &report)
{
  const Vector<Number> b = system.upload<Number>(system.b);
  Vector<Number> x       = system.upload<Number>({});
  CGResult result;
  CGControl control;
  control.relative_tolerance = study.relative_tolerance;
  control.max_iterations     = study.max_iterations;
  control.norm               = StoppingNorm::true_scaled_residual;
  control.progress = [](int, double) { return !program::interrupted(); };
  program::MeasureOptions timing = benchmarks::timing_of(study.n_samples);
  timing.warm_up                 = 1;
  // The clock of the host is used: a solve ends when the host knows it.
  const program::Statistics time = program::measure(
    Backend::host, {}, [&]() { result = solver.solve(x, b, control); }, timing);
  if (result.interrupted)
    program::throw_if_interrupted();

  const std::vector<Number> values = x.to_vector();
  const std::vector<double> found(values.begin(),
                                  values.begin() + system.b.size());
  program::Solve &solve   = *row.solve;
  solve.iterations        = result.iterations;
  solve.converged         = result.converged;
  solve.end               = describe(result);
  solve.solve_seconds     = time.median;
  const int n             = std::max(result.iterations, 1);
  solve.iteration_seconds = time.median / n;
  solve.iteration_bytes   = solver.iteration_bytes();
  solve.residual          = result.residual / result.initial_residual;
  set_residual(row, system.residual(found));
  solve.error = system.error(found);
  if (solve.true_residual < 1)
    solve.t10 = 10 * time.median / -std::log10(solve.true_residual);
  solve.history =
    program::history_of(result.history, 1 / result.initial_residual);
  solve.method = solver.method;
  row.parameters.insert(solver.parameters.begin(), solver.parameters.end());
  report.set_time(row, program::of_part(time, n), solve.iteration_bytes,
                  program::not_measured);
  row.cg_iterations_per_s = 1 / solve.iteration_seconds;
  if (!solve.converged)
    row.reason = solve.end;
  row.error = largest_deviation(solve, system, accuracy, study);
}


template void
measure_solver(program::Row &, benchmarks::Solver<double> &, const System &,
               const Accuracy &, const SolverStudy &,
               const benchmarks::Report &);
template void
measure_solver(program::Row &, benchmarks::Solver<float> &, const System &,
               const Accuracy &, const SolverStudy &,
               const benchmarks::Report &);

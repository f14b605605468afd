#include "implicit.h"

#include "mesh_values.h"

#include <tessera/assembly/load_vector.h>
#include <tessera/base/counted.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>

using namespace tessera;


Implicit::Implicit(SolverCase &this_case, const Problem<double> &problem,
                   PointMembrane<double> of_points,
                   const ImplicitOptions &options)
  : this_case(this_case), problem(problem), points(std::move(of_points)),
    options(options),
    tangents(Tangents::make(options.tangents, this_case, this->problem, points,
                            BackwardDifference::of_order(
                              options.order, options.longest, options.longest)
                              .tau)),
    past{problem.make_vector(), problem.make_vector(), problem.make_vector()},
    predicted(problem.make_vector()), load(problem.make_vector()),
    residual(problem.make_vector()), correction(problem.make_vector()),
    right_side(this_case.matrix_file.empty() ? Vector()
                                             : problem.make_vector()),
    operations(this_case.backend, predicted.n_owned(),
               *problem.parts().communicator()),
    step_error(this_case.backend, predicted.n_owned(),
               *problem.parts().communicator())
{}


void
Implicit::prepare(const double step)
{
  tangents->prepare(BackwardDifference::of_order(1, step).tau);
}


void
Implicit::predict(Vector &potential, const int order, const double step)
{
  operations.combine(1., potential, 0., past[0]);
  // The polynomial through the past at the new time.
  const double at[3] = {0, -former[0], -former[0] - former[1]};
  const int n        = std::min(n_past, order) + 1;
  for (int i = 0; i < n; ++i)
    {
      double weight = 1;
      for (int j = 0; j < n; ++j)
        if (j != i)
          weight *= (step - at[j]) / (at[i] - at[j]);
      operations.combine(weight, past[i], i == 0 ? 0. : 1., potential);
    }
  operations.combine(1., potential, 0., predicted);
}


double
Implicit::linearize(const Vector &potential, const double *stimulus,
                    const BackwardDifference &difference, const bool same_step)
{
  program::Timer timer;
  const Tail<double> &ghosts = *problem.parts().ghosts();
  ghosts.import(potential, {});
  if (!same_step)
    ghosts.import(past[0], {}); // past[1] has its ghosts of the last step
  points.linearize(potential, past[0], past[1], stimulus, difference,
                   same_step);
  wait_for(this_case.backend);
  spent.points += timer.lap();
  const Conflict conflict = problem.conflict();
  load.zero();
  residual.zero();
  add_load_vector(load, *problem.cells(), points.source(), conflict);
  points.tangent()->set_solution(potential);
  points.tangent()->add_residual(residual, conflict);
  for (Vector *const sum : {&load, &residual})
    ghosts.export_add(*sum, {});
  operations.combine(1., load, -1., residual);
  const double norm = std::sqrt(operations.dot(residual, residual));
  spent.residual += timer.lap();
  return norm;
}


StepResult
Implicit::iterate(Vector &potential, const double *stimulus,
                  const BackwardDifference &difference)
{
  tangents->prepare(difference.tau);
  StepResult result;
  result.linear.end       = SolveEnd::converged;
  result.linear.converged = true;
  double limit            = 0;
  norms.clear();
  for (int k = 0;; ++k)
    {
      norms.push_back(linearize(potential, stimulus, difference, k > 0));
      if (k == 0)
        limit = options.tolerance * std::sqrt(operations.dot(load, load));
      const bool finite = std::isfinite(norms.back()) && std::isfinite(limit);
      if (finite && norms.back() <= limit)
        return result;
      if (!finite || k == options.max_iterations)
        {
          result.failure = "Newton's method did not converge in " +
                           counted(k, "iteration") + ": the residual is " +
                           program::format(norms.back()) + " and should be " +
                           program::format(limit) + '.';
          return result;
        }
      program::Timer timer;
      tangents->assemble();
      wait_for(this_case.backend);
      spent.assembly += timer.lap();
      correction.zero();
      if (!this_case.matrix_file.empty())
        operations.combine(1., residual, 0., right_side);
      const CGResult linear =
        tangents->solve(correction, residual, 0.1 * limit);
      operations.combine(1., correction, 1., potential);
      spent.solve += timer.lap();
      spent.products += linear.iterations + 1; // and the residual
      ++spent.assemblies;
      ++spent.newton;
      const int iterations     = result.linear.iterations + linear.iterations;
      result.linear            = linear;
      result.linear.iterations = iterations;
      result.newton_iterations = k + 1;
      if (!linear.converged)
        return result;
    }
}


StepResult
Implicit::advance(Vector &potential, const double *stimulus, const double step)
{
  const int order = options.order == 2 && n_past >= 2 ? 2 : 1;
  const auto difference =
    BackwardDifference::of_order(order, step, order == 2 ? former[0] : 1.);
  predict(potential, order, step);
  StepResult result = iterate(potential, stimulus, difference);
  if (norms.size() > longest.size())
    longest = norms;
  if (!result.converged())
    return result;
  // The differences of the exact solution from result and prediction are the
  // derivative of order + 1 times `own` and `other`, but for a common factor.
  const double last = n_past > 0 ? former[0] : step;
  const double own =
    order == 1 ? step : step * (step + last) / (2 * step + last);
  const double other = step + last + (order == 2 ? former[1] : 0.);
  result.order       = order;
  result.error       = own / (own + other) * step_error(potential, predicted);
  return result;
}


void
Implicit::accept(const double step)
{
  std::swap(past[2], past[1]);
  std::swap(past[1], past[0]);
  former[1] = former[0];
  former[0] = step;
  ++n_past;
  points.accept();
}


void
Implicit::save(State &state) const
{
  const auto nodes = MeshValues::of_nodes(this_case);
  MeshValues::of_cells(this_case, points.source().n_entries)
    .save(state, "recoveries", points.states(), points.n_fields());
  nodes.save(state, "past potential", past[1].to_vector());
  nodes.save(state, "earlier potential", past[2].to_vector());
  state.arrays["past steps"] = {double(n_past), former[0], former[1]};
}


void
Implicit::restore(const State &state)
{
  const auto nodes = MeshValues::of_nodes(this_case);
  points.set_states(MeshValues::of_cells(this_case, points.source().n_entries)
                      .restore(state, "recoveries", points.n_fields()));
  nodes.restore(past[1], state, "past potential");
  problem.parts().ghosts()->import(past[1], {});
  nodes.restore(past[2], state, "earlier potential");
  const auto &steps = state.array("past steps", 3);
  n_past            = static_cast<int>(steps[0]);
  former[0]         = steps[1];
  former[1]         = steps[2];
}


double
Implicit::measured(const std::function<void()> &work) const
{
  constexpr int n = 10;
  work();
  wait_for(this_case.backend);
  const program::Timer timer;
  for (int i = 0; i < n; ++i)
    work();
  wait_for(this_case.backend);
  return timer.seconds() / n;
}


void
Implicit::record_parts() const
{
  auto &parameters = this_case.entry.parameters;
  if (tangents->system() == nullptr)
    return;
  const auto &A = tangents->system()->matrix();
  auto x = A.make_vector(), y = A.make_vector();
  operations.combine(1., past[0], 0., x);
  parameters["product_seconds"] =
    spent.products * measured([&]() { A.vmult(y, x); });
  if (!options.phases)
    return;
  // Assembly into rows consists of the matrices of cells and their summation.
  AssemblyOptions of_matrices;
  of_matrices.strategy = this_case.solver.assembly.strategy;
  const auto matrices =
    problem.make_operator("local_matrices", points.tangent(), of_matrices);
  const double before =
    spent.assemblies * measured([&]() { matrices->update(points.tangent()); });
  parameters["cell_matrices_seconds"] = before;
  parameters["summation_seconds"]     = std::max(0., spent.assembly - before);
}


void
Implicit::record() const
{
  auto &parameters = this_case.entry.parameters;
  tangents->describe(parameters);
  if (tangents->system() != nullptr)
    tangents->system()->store_matrix(right_side);
  std::string residuals;
  for (const double norm : longest)
    residuals += (residuals.empty() ? "" : " ") + program::format(norm);
  parameters["newton_iterations"] = std::int64_t(spent.newton);
  parameters["newton_residuals"]  = residuals;
  parameters["points_seconds"]    = spent.points;
  parameters["residual_seconds"]  = spent.residual;
  parameters["assembly_seconds"]  = spent.assembly;
  parameters["solve_seconds"]     = spent.solve;
  record_parts();
  this_case.entry.results.quantities.push_back(
    {"Newton iterations", double(spent.newton)});
}

#include "splitting.h"

#include "mesh_values.h"

#include "cell_models/lumped_operator.h"
#include <tessera/base/error.h>
#include <tessera/fem/driver/step_solver.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/forms/laplace.h>
#include <tessera/forms/mass.h>
#include <tessera/forms/reaction_diffusion.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

using namespace tessera;

/// What steps of one length need: the system and its solver, or stages.
struct Splitting::System
{
  std::unique_ptr<LinearSystem<double>> consistent;
  std::unique_ptr<LumpedOperator<double>> lumped; ///< M + theta dt K
  std::optional<StepSolver> solver;
  std::optional<StageSteps> stages;
};

namespace
{
  /// The most systems that are kept: for usual steps and for some that hit
  /// an event.
  constexpr std::size_t max_systems = 4;

  /// On a device one of so many steps is timed, because each part has to be
  /// waited for. Stages look as rarely whether the potential is finite.
  constexpr std::int64_t timed_of = 64;
} // namespace


Splitting::Splitting(SolverCase &this_case, const Problem<double> &problem,
                     const Coefficient &D, const SplittingOptions &options,
                     Membrane<double> of_nodes)
  : this_case(this_case), problem(problem), D(D), options(options),
    membrane(std::move(of_nodes)),
    operations(this_case.backend, problem.space().n_owned)
{
  if (options.narrow)
    membrane.narrow_gates();
  if (options.lumped)
    lump();
  if (options.stages)
    return;
  for (Vector *vector : {&b, &before, &increment})
    *vector = problem.make_vector();
}


Splitting::~Splitting() = default;


/// The integrals of the functions of nodes are the row sums of the mass matrix,
/// because these functions add up to 1.
void
Splitting::lump()
{
  diagonal = problem.right_hand_side(Coefficient::scalar(1));
  if (options.stages)
    {
      std::vector<double> values = diagonal.to_vector();
      for (double &value : values)
        value = 1 / value;
      diagonal.copy_from(values);
    }
  stiffness =
    std::make_unique<LinearSystem<double>>(this_case, problem, laplace(D));
  const Operator<double> &K = stiffness->matrix();
  if (options.stages)
    stages = std::make_unique<DiffusionStages<double>>(K, std::move(diagonal));
  else
    mass = std::make_unique<LumpedOperator<double>>(K, diagonal, 0.);
}


std::unique_ptr<Splitting::System>
Splitting::make_system(const double step)
{
  auto result        = std::make_unique<System>();
  const double theta = is_strang() ? 0.5 : 1.;
  if (options.tables)
    membrane.tabulate(theta * step, options.reaction_steps,
                      is_strang() ? 2 : 1);
  if (options.stages)
    result->stages = stages->steps(is_strang() ? 2 : 1, step);
  else if (options.lumped)
    {
      result->lumped = std::make_unique<LumpedOperator<double>>(
        stiffness->matrix(), diagonal, theta * step);
      if (this_case.preconditioner.name.empty())
        this_case.choose_preconditioner();
      result->solver.emplace(this_case, *result->lumped,
                             problem.make_preconditioner(
                               this_case.preconditioner.name, *result->lumped,
                               this_case.preconditioner.options));
    }
  else
    {
      const Coefficient one = Coefficient::scalar(1);
      Coefficient scaled    = D;
      for (double &value : scaled.values)
        value *= theta * step;
      const Form form = reaction_diffusion(
        with_reaction(scaled, {{&one, 1.}}, problem.space()));
      result->consistent =
        std::make_unique<LinearSystem<double>>(this_case, problem, form);
      result->solver.emplace(this_case, *result->consistent);
      if (!mass)
        mass = problem.make_operator(result->consistent->matrix().name(),
                                     tessera::mass());
    }
  return result;
}


Splitting::System &
Splitting::system_of(const double step)
{
  if (first_step == 0)
    first_step = step;
  const long long key = std::llround(step / first_step * 1e9);
  last_step           = key;
  const auto found    = systems.find(key);
  if (found != systems.end())
    return *found->second;
  if (systems.size() >= max_systems)
    {
      systems.clear();
      membrane.forget_tables();
    }
  return *systems.emplace(key, make_system(key * (1e-9 * first_step)))
            .first->second;
}


void
Splitting::prepare(const double step)
{
  system_of(step);
}


void
Splitting::lap(double &part)
{
  if (!is_timed)
    return;
  wait_for(this_case.backend);
  part += timer.lap();
}


void
Splitting::react(Vector &potential, const double *stimulus, const double step)
{
  const int order = is_strang() ? 2 : 1;
  membrane.advance(potential, stimulus, step, options.reaction_steps, order);
  lap(spent.reaction);
}


CGResult
Splitting::solve(System &system, Vector &potential)
{
  mass->vmult(b, potential);
  operations.combine(1., potential, 0., before);
  operations.combine(1., increment, 1., potential);
  lap(spent.product);
  const CGResult result = system.solver->solve(potential, b);
  operations.combine(1., potential, 0., increment);
  operations.combine(-1., before, 1., increment);
  if (is_strang())
    operations.combine(1., increment, 1., potential);
  return result;
}


StepResult
Splitting::advance(Vector &potential, const double *stimulus, const double step)
{
  const bool strang = is_strang();
  System &system    = system_of(step);
  const bool looks  = n_steps++ % timed_of == 1;
  is_timed          = looks || this_case.backend == Backend::host;
  if (is_timed)
    {
      wait_for(this_case.backend);
      timer.restart();
      ++n_timed;
    }
  // Tables belong to the length of steps of the system.
  const double length =
    (options.tables ? last_step * (1e-9 * first_step) : step) /
    (strang ? 2 : 1);
  react(potential, stimulus, length);
  CGResult result;
  if (options.stages)
    {
      stages->advance(potential, *system.stages, step);
      result.end       = SolveEnd::converged;
      result.converged = true;
    }
  else
    result = solve(system, potential);
  lap(spent.solve);
  if (strang)
    react(potential, stimulus, length);
  if (looks)
    finish();
  return {result};
}


void
Splitting::finish() const
{
  wait_for(this_case.backend);
  if (options.stages && !stages->is_finite())
    throw NotConverged(
      "The potential is infinite or not a number after some steps; a shorter "
      "'Time/Step' or more 'Time/Reaction steps' may help.");
}


void
Splitting::save(State &state) const
{
  finish();
  const auto nodes = MeshValues::of_nodes(this_case);
  nodes.save(state, "cell states", membrane.states(), n_states());
  if (!options.stages)
    nodes.save(state, "increment", increment.to_vector());
  state.arrays["first step"] = {first_step};
}


void
Splitting::restore(const State &state)
{
  const auto nodes = MeshValues::of_nodes(this_case);
  membrane.set_states(nodes.restore(state, "cell states", n_states()));
  if (!options.stages)
    nodes.restore(increment, state, "increment");
  // Systems that were made for another first step belong to other lengths.
  const double restored = state.number("first step");
  if (restored == first_step)
    return;
  systems.clear();
  membrane.forget_tables();
  first_step = restored;
  system_of(restored);
}


void
Splitting::record() const
{
  auto &parameters = this_case.entry.parameters;
  for (const auto &[key, system] : systems)
    if (system->solver)
      system->solver->describe(parameters);
  const System &last = *systems.at(last_step);
  if (last.consistent)
    last.consistent->store_matrix(b);
  if (last.stages)
    {
      const Operator<double> &K = stiffness->matrix();
      parameters.merge(K.layout_parameters());
      parameters.merge(K.product_parameters());
      parameters["stages"] =
        static_cast<std::int64_t>(last.stages->steps.size());
      parameters["spectrum_upper"] = stages->bounds().upper;
    }
  if (options.tables)
    parameters["table_error"] = membrane.table_error();
  const double steps = n_timed > 0 ? double(n_steps) / double(n_timed) : 0;
  parameters["reaction_seconds"] = steps * spent.reaction;
  if (!options.stages)
    parameters["product_seconds"] = steps * spent.product;
  parameters[options.stages ? "stages_seconds" : "solve_seconds"] =
    steps * spent.solve;
}

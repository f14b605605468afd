#include "splitting.h"

#include "mesh_values.h"

#include <tessera/fem/driver/step_solver.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/forms/mass.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/program/timing.h>

#include <cmath>

using namespace tessera;

/// The system of steps of one length, and its solver.
struct Splitting::System
{
  System(DiscreteProblem &problem, const Problem<double> &discrete,
         const Form &form)
    : system(problem, discrete, form), solver(problem, system)
  {}

  LinearSystem<double> system;
  StepSolver solver;
};

namespace
{
  /// The most systems that are kept: those of usual steps and of some that hit
  /// an event.
  constexpr std::size_t max_systems = 4;
} // namespace


Splitting::Splitting(DiscreteProblem &problem, const Problem<double> &discrete,
                     const Coefficient &D, const SplittingScheme scheme,
                     const int reaction_steps, Membrane<double> of_nodes)
  : problem(problem), discrete(discrete), D(D), scheme(scheme),
    reaction_steps(reaction_steps), membrane(std::move(of_nodes)),
    b(discrete.make_vector()), before(discrete.make_vector()),
    increment(discrete.make_vector()), operations(problem.backend, b.n_owned())
{}


Splitting::~Splitting() = default;


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
    systems.clear();
  const double theta    = scheme == SplittingScheme::strang ? 0.5 : 1.;
  const Coefficient one = Coefficient::scalar(1);
  Coefficient scaled    = D;
  for (double &value : scaled.values)
    value *= theta * (key * (1e-9 * first_step));
  const Form form =
    reaction_diffusion(with_reaction(scaled, {{&one, 1.}}, discrete.space()));
  auto system = std::make_unique<System>(problem, discrete, form);
  if (!mass)
    mass =
      discrete.make_operator(system->system.matrix().name(), tessera::mass());
  return *systems.emplace(key, std::move(system)).first->second;
}


void
Splitting::prepare(const double step)
{
  system_of(step);
}


void
Splitting::react(Vector &potential, const double *stimulus, const double step)
{
  const program::Timer timer;
  const int order = scheme == SplittingScheme::strang ? 2 : 1;
  membrane.advance(potential, stimulus, step, reaction_steps, order);
  wait_for(problem.backend);
  spent.reaction += timer.seconds();
}


StepResult
Splitting::advance(Vector &potential, const double *stimulus, const double step)
{
  const bool strang = scheme == SplittingScheme::strang;
  react(potential, stimulus, strang ? step / 2 : step);

  System &system = system_of(step);
  program::Timer timer;
  mass->vmult(b, potential);
  operations.combine(1., potential, 0., before);
  operations.combine(1., increment, 1., potential);
  wait_for(problem.backend);
  spent.product += timer.lap();
  const CGResult result = system.solver.solve(potential, b);
  operations.combine(1., potential, 0., increment);
  operations.combine(-1., before, 1., increment);
  if (strang)
    operations.combine(1., increment, 1., potential);
  spent.solve += timer.lap();

  if (strang)
    react(potential, stimulus, step / 2);
  return {result};
}


void
Splitting::save(State &state) const
{
  const auto nodes = MeshValues::of_nodes(problem);
  nodes.save(state, "cell states", membrane.states(), n_states());
  nodes.save(state, "increment", increment.to_vector());
  state.arrays["first step"] = {first_step};
}


void
Splitting::restore(const State &state)
{
  const auto nodes = MeshValues::of_nodes(problem);
  membrane.set_states(nodes.restore(state, "cell states", n_states()));
  nodes.restore(increment, state, "increment");
  first_step = state.number("first step");
}


void
Splitting::record() const
{
  auto &parameters = problem.entry.parameters;
  for (const auto &[key, system] : systems)
    system->solver.describe(parameters);
  systems.at(last_step)->system.store_matrix(b);
  parameters["reaction_seconds"] = spent.reaction;
  parameters["product_seconds"]  = spent.product;
  parameters["solve_seconds"]    = spent.solve;
}

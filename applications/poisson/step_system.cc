#include "step_system.h"

#include <tessera/base/vector_operations.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/forms/mass.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/program/program.h>

using namespace tessera;

namespace
{
  /// Returns the form of C / (theta dt).
  Form
  form_of_mass(const Data &data, const double theta_step, const Space &space)
  {
    return tessera::mass(with_reaction({Coefficient::Kind::uniform, 0, {}},
                                       {{&data.capacity, 1 / theta_step}},
                                       space));
  }

  /// Returns the form of the matrix that is solved with.
  Form
  form_of_step(const Data &data, const Form &mass, const Space &space)
  {
    std::vector<std::pair<const Coefficient *, double>> reactions{
      {&mass.coefficient, 1.}};
    if (data.reacts())
      reactions.emplace_back(&data.reaction, 1.);
    return reaction_diffusion(with_reaction(data.kappa, reactions, space));
  }
} // namespace


StepSystem::StepSystem(SolverCase &d, const Data &data, const double theta,
                       const double step)
  : d(d), problem(d.problem<double>(d.own_faces(data.faces))),
    mass_form(form_of_mass(data, theta * step, *d.space)),
    form(form_of_step(data, mass_form, *d.space)), b(make_vector())
{
  d.entry.phases.upload = d.timer.lap();
  system = std::make_unique<LinearSystem<double>>(d, problem, form);
  mass =
    problem.without_faces().make_operator(system->matrix().name(), mass_form);
  solver.emplace(d, *system,
                 [&d](int, double) { return !d.any(program::interrupted()); });
}


Vector<double>
StepSystem::vector_of(const Values &values) const
{
  auto u = make_vector();
  import_dofs(u, *d.space, values);
  zero_tail(u);
  return u;
}


void
StepSystem::read(const Vector<double> &u, const Values &given,
                 Values &values) const
{
  export_dofs(u, *d.space, values);
  d.complete(values, given);
}


Vector<double>
StepSystem::loads(const Data &data) const
{
  return problem.right_hand_side(data.source, d.own_faces(data.faces));
}


void
StepSystem::lift(Vector<double> &load, const Values &mean,
                 const Values &before) const
{
  Values negative = before;
  for (double &value : negative)
    value = -value;
  auto g = make_vector();
  // What was in the tail of the load has been passed on.
  import_dofs(g, *d.space, mean);
  zero_tail(load);
  problem.lift(load, form, g);
  import_dofs(g, *d.space, negative);
  zero_tail(load);
  problem.without_faces().lift(load, mass_form, g);
}


CGResult
StepSystem::solve(Vector<double> &w, const Vector<double> &u,
                  const Vector<double> &load)
{
  const VectorOperations<double> operations(d.backend, u.n_owned());
  mass->vmult(b, u);
  operations.combine(1., load, 1., b);
  if (!std::exchange(is_stored, true))
    system->store_matrix(b);
  operations.combine(1., u, 0., w);
  return solver->solve(w, b);
}


void
StepSystem::describe() const
{
  solver->describe(d.entry.parameters);
  d.describe_division();
}

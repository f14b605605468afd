#include "step_system.h"

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/load_vector.h>
#include <tessera/base/vector_operations.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/forms/mass.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/operators/lift.h>
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


StepSystem::StepSystem(DiscreteProblem &d, const Data &data, const double theta,
                       const double step)
  : d(d), cells(std::make_shared<const CellData<double>>(d.space, d.backend)),
    tail(d.tail<double>()),
    mass_form(form_of_mass(data, theta * step, *d.space)),
    form(form_of_step(data, mass_form, *d.space)), b(cells->make_vector())
{
  if (!data.faces.mass.empty())
    robin = std::make_shared<const BoundaryMatrices<double>>(
      *d.space, d.faces_here(data.faces), d.backend);
  d.entry.phases.upload = d.timer.lap();
  system                = std::make_unique<LinearSystem<double>>(
    d, [this](const std::string &name, const AssemblyOptions &options) {
      return make_operator<double>(name, cells, form, options, tail, robin);
    });
  mass = make_operator<double>(system->matrix().name(), cells, mass_form,
                               d.solver.assembly, tail);
  solver.emplace(d, *system,
                 [&d](int, double) { return !d.any(program::interrupted()); });
  system->store_matrix();
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
  auto result             = make_vector();
  const Conflict conflict = d.solver.conflict(d.backend);
  const Route route       = d.solver.route_of_loads();
  add_load_vector(result, *cells, data.source, conflict, route);
  const BoundaryFaces faces = d.faces_here(data.faces);
  if (faces.n_faces() > 0)
    add_boundary_load(result, *cells, faces, conflict, route);
  finish_right_hand_side(result, *cells, tail);
  return result;
}


void
StepSystem::lift(Vector<double> &load, const Values &mean,
                 const Values &before) const
{
  const Conflict conflict = d.solver.conflict(d.backend);
  Values negative         = before;
  for (double &value : negative)
    value = -value;
  auto g = make_vector();
  // What was in the tail of the load has been passed on.
  import_dofs(g, *d.space, mean);
  zero_tail(load);
  tessera::lift<double>(load, g, cells, form, robin.get(), conflict, tail);
  import_dofs(g, *d.space, negative);
  zero_tail(load);
  tessera::lift<double>(load, g, cells, mass_form, nullptr, conflict, tail);
}


CGResult
StepSystem::solve(Vector<double> &w, const Vector<double> &u,
                  const Vector<double> &load)
{
  const VectorOperations<double> operations(d.backend, u.n_owned());
  mass->vmult(b, u);
  operations.combine(1., load, 1., b);
  operations.combine(1., u, 0., w);
  return solver->solve(w, b);
}


void
StepSystem::describe(program::Case &entry) const
{
  solver->describe(entry.parameters);
  if (d.division != nullptr)
    d.division->describe(entry, *d.space, static_cast<double>(d.here.size()));
}

#include "equation.h"
#include "rigid_motions.h"

#include <tessera/assembly/form_data.h>

using namespace tessera;

const BoundaryKinds &
boundary_kinds()
{
  using Kind                       = BoundaryKinds::Kind;
  static const BoundaryKinds kinds = {
    true,
    {{Kind::dirichlet, "Displacement",
      "u, formulas of x, y and z separated by semicolons, one for each "
      "component, or one for all components that are held"},
     {Kind::neumann, "Traction",
      "t = sigma n, the force per area, a formula for each component"},
     {Kind::pressure, "Pressure",
      "p of t = -p n, where n points outwards: a pressure pushes"},
     {Kind::robin_tensor, "Spring",
      "u0 of sigma n + K (u - u0) = t, formulas of x, y and z, one for each "
      "component or one for all; t is a traction there",
      "Displacement", "Stiffness",
      "K, formulas of x, y and z in units of force per area and "
      "displacement: one for all directions, one for each axis, or "
      "the entries of a symmetric tensor, xx; xy; yy in two and xx; xy; xz; "
      "yy; yz; zz in three dimensions"}},
    "sigma n = 0, the surface is free"};
  return kinds;
}


template <int dim>
void
Equation<dim>::declare(Parameters &parameters)
{
  ElasticMaterial<dim>::declare(parameters);
  PointLoads<dim>::declare(parameters);
  ContactLoads<dim>::declare(parameters);
  BoundaryConditions<dim>::declare(parameters, boundary_kinds());
  declare_elimination(parameters);
}


template <int dim>
Equation<dim>::Equation(const Parameters &parameters)
  : material(parameters), boundary(parameters, boundary_kinds()),
    point_loads(parameters), contact_loads(parameters),
    eliminate_after(eliminates_after(parameters))
{}


template <int dim>
Data<dim>
discretize(const Equation<dim> &equation, Discretization<dim> &d)
{
  const auto &boundary = equation.boundary;
  boundary.check(d.mesh());
  dealii::AffineConstraints<double> held;
  std::vector<Spring<dim>> supports;
  d.build(
    [&]() {
      auto constraints = boundary.constraints(d.mesh(), d.cells());
      held.copy_from(constraints);
      supports = springs(boundary, d.mesh(), d.cells());
      return constraints;
    },
    equation.eliminate_after, dim);
  const CellNodes<dim> &cells = d.cells();
  boundary.check_nodes(d.mesh(), cells);
  check_rigid_motions(d.mesh(), cells, held, supports);
  Data<dim> data;
  data.loads.reinit(cells.n_dofs());
  data.expanding.reinit(cells.n_dofs());
  data.resting.reinit(cells.n_dofs());
  d.collectively([&]() {
    data.faces     = d.own_faces(boundary.faces(d.mesh(), cells));
    data.stiffness = equation.material.stiffness(d.mesh(), *d.space);
    data.expansion = equation.material.expansion(d.mesh(), *d.space);
    data.force =
      equation.material.body_force(d.mesh(), *d.space, d.device_cells());
  });
  data.b_bar = equation.material.chooses_b_bar(data.stiffness, d);
  d.collectively([&]() {
    if (data.expansion)
      data.expanding -= internal_forces(data.stresses(d, data.expanding));
    for (const auto &[name, forces] :
         spring_forces(boundary, d.mesh(), cells, data.resting))
      data.resting += forces;
  });
  equation.point_loads.add_to(data.loads, d.mesh(), cells);
  equation.contact_loads.add_to(data.loads, d.mesh(), cells);
  // What the form is not compiled for is refused before anything is written.
  const Form form = data.form();
  d.solver.on_number([&](auto zero) {
    form.compiled->template kernels<decltype(zero)>().check(*d.space);
  });
  for (const Coefficient *c : {&data.stiffness.form, &data.force})
    if (c->kind != Coefficient::Kind::uniform)
      d.n_varying += c->n_components;
  d.entry.phases.coefficients = d.timer.lap();
  return data;
}


#define INSTANTIATE(dim)         \
  template struct Equation<dim>; \
  template Data<dim> discretize(const Equation<dim> &, Discretization<dim> &);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

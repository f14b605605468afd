#include "equation.h"

#include <tessera/base/error.h>
#include <tessera/base/symmetric.h>
#include <tessera/forms/laplace.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <memory>

using namespace tessera;

namespace
{
  /// Returns 2 pi x if the section `Coordinates` asks for it.
  template <int dim>
  std::optional<Expression<dim>>
  read_measure(const Parameters &parameters)
  {
    if (parameters.get("Coordinates/Kind") == "cartesian")
      return {};
    if (dim != 2)
      throw ParameterError(
        "'Coordinates/Kind' = axisymmetric needs a mesh of "
        "dimension 2, which has 3.");
    return Expression<dim>(parameters, "Coordinates/Kind", {1}, "2 * pi * x");
  }

  template <int dim>
  void
  check_axis(const Mesh<dim> &mesh)
  {
    double least      = 0;
    const auto arrays = mesh.arrays();
    for (int v = 0; v < arrays->n_vertices(); ++v)
      least = std::min(least, arrays->vertices.data()[std::size_t(v) * dim]);
    if (least < 0)
      throw MeshError("The " + mesh.source +
                      " reaches x = " + program::format(least) +
                      ", but 'Coordinates/Kind' = axisymmetric needs x >= 0, "
                      "the distance from the axis.");
  }

  /// Throws ParameterError if a value is negative, or if one is 0 and they must
  /// be positive.
  void
  check_values(const Coefficient &c, const std::string &entry,
               const bool positive)
  {
    if (c.packed &&
        c.packed->is_good(positive ? Legal::positive : Legal::not_negative))
      return;
    const Coefficient fetched = c.packed ? on_host(c) : Coefficient();
    const auto &values        = c.packed ? fetched.values : c.values;
    if (values.empty()) // of a process without cells
      return;
    const double least = *std::min_element(values.begin(), values.end());
    if (least < 0 || (positive && least == 0))
      throw ParameterError("The value " + program::format(least) + " of '" +
                           entry + "' is " +
                           (positive ? "not positive."
                                     : "negative; legal are "
                                       "values of at least "
                                       "0."));
  }

  /// Throws MeshError if nothing fixes u in a connected part of the mesh: no
  /// boundary, no node that is `held` and no reaction c > 0, if there is one.
  /// For all processes together.
  template <int dim>
  void
  check_parts(const Equation<dim> &equation, const Discretization<dim> &d,
              const dealii::AffineConstraints<double> &held,
              const Coefficient *c)
  {
    std::optional<Coefficient> fetched;
    if (c != nullptr && c->packed)
      c = &fetched.emplace(on_host(*c));
    const auto parts   = connected_parts(d.mesh());
    const int n_points = d.space->points_per_cell();
    std::vector<double> fixes(1 + *std::max_element(parts.begin(), parts.end()),
                              0.);
    for (int cell = 0; cell < d.space->n_cells() && c != nullptr; ++cell)
      for (int q = 0; q < n_points; ++q)
        if (*values_at(*c, cell, q, n_points) > 0)
          fixes[parts[d.space->mesh_cell[cell]]] = 1;
    const CellNodes<dim> &cells = d.cells();
    if (held.n_constraints() > 0)
      for (int cell = 0; cell < cells.n_cells(); ++cell)
        for (int i = 0; i < cells.nodes_per_cell() && cells.is_own(cell); ++i)
          if (held.is_constrained(cells.nodes(cell)[i]))
            fixes[parts[cell]] = 1;
    sum_up(d.division, fixes);
    if (std::count(fixes.begin(), fixes.end(), 0.) == 0)
      return;
    std::vector<char> fixing_cells;
    for (const int part : parts)
      fixing_cells.push_back(fixes[part] > 0 ? 1 : 0);
    const auto fixed = equation.boundary.fixed_boundaries(d.mesh(), d.division);
    d.collectively(
      [&]() { check_connected_parts(d.mesh(), fixed, fixing_cells); });
  }

  /// Returns what makes the evaluators of kappa on a mesh, which stays as it is
  /// meanwhile.
  template <int dim>
  std::function<Conductivity<dim>()>
  conductivity(const MaterialExpression<dim> &kappa, const Mesh<dim> &mesh)
  {
    using Evaluator        = typename MaterialExpression<dim>::Evaluator;
    const auto expressions = std::make_shared<const std::vector<unsigned char>>(
      kappa.expressions_of_cells(mesh));
    return [&kappa, expressions]() -> Conductivity<dim> {
      const auto evaluator = std::make_shared<const Evaluator>(kappa);
      return [expressions, evaluator](const auto &cell,
                                      const dealii::Point<dim> &p) {
        return evaluator->tensor((*expressions)[cell->active_cell_index()], p);
      };
    };
  }

  /// Multiplies the coefficients that are given by the measure, if there is
  /// one.
  void
  apply_measure(const Data &data, const Space &space,
                const std::vector<Coefficient *> &coefficients)
  {
    for (Coefficient *const c : coefficients)
      if (is_given(data.measure) && is_given(*c))
        *c = weighted(*c, data.measure, space);
  }

  /// Returns the number of values that forms and loads store at a point.
  int
  n_varying(const Data &data, const int dim)
  {
    const auto varies = [](const Coefficient &c) {
      return is_given(c) && c.kind != Coefficient::Kind::uniform;
    };
    const bool in_time = is_given(data.capacity);
    int n              = varies(data.source) ? data.source.n_components : 0;
    if (varies(data.capacity)) // of the mass matrix
      ++n;
    if (!in_time && !data.reacts())
      return n + (varies(data.kappa) ? data.kappa.n_components : 0);
    // A device keeps what it has put together.
    for (const Coefficient *const c :
         {&data.kappa, &data.reaction, &data.capacity})
      n += c->packed ? c->n_components : 0;
    const bool form_varies =
      varies(data.kappa) || varies(data.reaction) || varies(data.capacity);
    return n + (form_varies ? n_symmetric(dim) + 1 : 0);
  }

  /// Returns the bytes of what steps in time keep besides: the mass matrix, in
  /// the format of the operator; u, its loads and a temporary vector; on the
  /// host the values of three times and the given values.
  template <int dim>
  double
  bytes_of_steps(const Discretization<dim> &d)
  {
    const program::MemoryEstimate of_operator(case_size(
      {}, d.solver, d.backend, d.mesh(), d.entry.problem.degree, 0, &d));
    const double n_vectors = d.backend == Backend::host ? 8 : 4;
    return of_operator.matrix + n_vectors * sizeof(double) * d.space->n_owned;
  }
} // namespace


template <int dim>
void
Equation<dim>::declare(Parameters &parameters)
{
  using Expression = MaterialExpression<dim>;
  parameters.declare("Coordinates/Kind", "cartesian",
                     Patterns::Selection("cartesian|axisymmetric"),
                     "axisymmetric, in two dimensions: the mesh is half of the "
                     "section of a solid of revolution, x is the distance from "
                     "the axis, and integrals are those over the solid");
  Expression::declare(
    parameters, "Coefficient", "Expression", "1",
    "kappa: one formula of x, y and z, or the formulas of a tensor, "
    "xx; xy; yy in two and xx; xy; xz; yy; yz; zz in three dimensions");
  Expression::declare(parameters, "Source", "Function expression", "0",
                      "f, a formula of x, y, z and t");
  Expression::declare(parameters, "Reaction", "Expression", "0",
                      "c >= 0 of -div(kappa grad u) + c u = f");
  Expression::declare(parameters, "Capacity", "Expression", "1",
                      "C > 0 of C du/dt - div(kappa grad u) + c u = f, as the "
                      "density times the specific heat");
  TimeSteps::declare(parameters);
  parameters.declare("Initial value/Function expression", "0",
                     Patterns::Anything(),
                     "u at t = 0, a formula of x, y and z or 'file FILE.vtu : "
                     "ARRAY : FORMULA of u', the values of another run");
  BoundaryConditions<dim>::declare(parameters);
  declare_elimination(parameters);
}


template <int dim>
Equation<dim>::Equation(const Parameters &parameters)
  : kappa(parameters, "Coefficient", "Expression", MaterialValues::tensor),
    source(parameters, "Source", "Function expression", MaterialValues::scalar),
    reaction(parameters, "Reaction", "Expression", MaterialValues::scalar),
    capacity(parameters, "Capacity", "Expression", MaterialValues::scalar),
    initial(parameters, "Initial value/Function expression"),
    boundary(parameters), eliminate_after(eliminates_after(parameters))
{
  if (const auto formula = read_measure<dim>(parameters))
    {
      measure.emplace(Field<dim>(*formula), MaterialValues::scalar);
      weight = [function = std::shared_ptr<const dealii::Function<dim>>(
                  formula->function())](const dealii::Point<dim> &p) {
        return function->value(p);
      };
    }
  for (const MaterialExpression<dim> *const e : {&kappa, &reaction, &capacity})
    e->check_no_time();
  initial.check_no_time();
  TimeSteps::check_unused(parameters);
  if (parameters.have_time())
    time.emplace(parameters);
  if (reacts() && parameters.get("Operator/Number") != "double")
    throw ParameterError(
      "A reaction is computed in double: legal is 'Operator/Number' = double.");
}


template <int dim>
void
Equation<dim>::set_time(const double t, const double t_of_loads)
{
  source.set_time(t_of_loads);
  boundary.set_time(t, t_of_loads);
}


template <int dim>
void
Equation<dim>::begin_time(const int cycle)
{
  const bool takes_first_loads = !time || time->theta < 1;
  set_time(0, takes_first_loads ? 0 : time->end / time->n_steps(cycle));
}


Coefficient
Data::k_and_c(const Space &space) const
{
  return reacts() ? with_reaction(kappa, {{&reaction, 1.}}, space) : kappa;
}


Form
Data::form(const Space &space) const
{
  return reacts() ? reaction_diffusion(k_and_c(space)) : laplace(kappa);
}


template <int dim>
void
set_loads(Data &data, const Equation<dim> &equation,
          const Discretization<dim> &d)
{
  data.faces = equation.boundary.faces(d.mesh(), d.cells(), equation.weight);
  data.source =
    equation.source.coefficient(d.mesh(), *d.space, d.device_cells());
  apply_measure(data, *d.space, {&data.source});
}


template <int dim>
Data
discretize(const Equation<dim> &equation, Discretization<dim> &d)
{
  const auto &boundary  = equation.boundary;
  const bool boundaries = !equation.time && !equation.reacts(); // fix u
  std::set<dealii::types::boundary_id> fixed;
  if (boundaries)
    fixed = boundary.fixed_boundaries(d.mesh(), d.division);
  const bool by_nodes = boundary.holds_nodes(d.mesh());
  d.collectively([&]() {
    if (boundaries && !by_nodes)
      check_connected_parts(d.mesh(), fixed);
    if (equation.measure)
      check_axis(d.mesh());
  });
  d.makes_float   = !equation.time && !equation.reacts();
  d.steps_in_time = equation.time.has_value();
  dealii::AffineConstraints<double> held;
  d.build(
    [&]() {
      auto constraints = boundary.constraints(d.mesh(), d.cells(), false);
      if (by_nodes)
        held.copy_from(constraints);
      return constraints;
    },
    equation.eliminate_after);
  if (by_nodes)
    boundary.check_nodes(d.mesh(), d.cells());
  if (boundaries && by_nodes)
    check_parts(equation, d, held, nullptr);
  Data data{};
  d.collectively([&]() { data = on_cells(equation, d); });
  if (!equation.time && equation.reacts())
    check_parts(equation, d, held, &data.reaction);
  d.n_varying = n_varying(data, dim);
  if (data.kappa.kind != Coefficient::Kind::uniform ||
      data.kappa.n_components > 1)
    d.make_conductivity = conductivity(equation.kappa, d.mesh());
  if (equation.time)
    d.state_bytes = bytes_of_steps(d);
  d.entry.phases.coefficients = d.timer.lap();
  return data;
}


template <int dim>
Data
on_cells(const Equation<dim> &equation, const Discretization<dim> &d)
{
  const auto cells = d.device_cells();
  Data data{{},
            equation.kappa.coefficient(d.mesh(), *d.space, cells),
            {},
            {Coefficient::Kind::uniform, 1, {}},
            {Coefficient::Kind::uniform, 1, {}},
            {Coefficient::Kind::uniform, 1, {}}};
  if (equation.measure)
    data.measure = equation.measure->coefficient(d.mesh(), *d.space, cells);
  set_loads(data, equation, d);
  if (equation.reacts())
    {
      data.reaction = equation.reaction.coefficient(d.mesh(), *d.space, cells);
      check_values(data.reaction, "Reaction/Expression", false);
    }
  if (equation.time)
    {
      data.capacity = equation.capacity.coefficient(d.mesh(), *d.space, cells);
      check_values(data.capacity, "Capacity/Expression", true);
    }
  apply_measure(data, *d.space, {&data.kappa, &data.reaction, &data.capacity});
  return data;
}


#define INSTANTIATE(dim)                                                  \
  template struct Equation<dim>;                                          \
  template void set_loads(Data &, const Equation<dim> &,                  \
                          const Discretization<dim> &);                   \
  template Data discretize(const Equation<dim> &, Discretization<dim> &); \
  template Data on_cells(const Equation<dim> &, const Discretization<dim> &);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

#include "poisson.h"

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/load_vector.h>
#include <tessera/dealii/boundary_conditions.h>
#include <tessera/dealii/coefficients.h>
#include <tessera/dealii/errors.h>
#include <tessera/dealii/flux.h>
#include <tessera/dealii/transfer.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lift.h>

#include <algorithm>

using namespace tessera;

namespace
{
  /// The sections of the equation.
  template <int dim>
  struct Equation
  {
    explicit Equation(const Parameters &parameters)
      : kappa(parameters, "Coefficient", "Expression", MaterialValues::tensor),
        source(parameters, "Source", "Function expression",
               MaterialValues::scalar),
        boundary(parameters), eliminate_after(eliminates_after(parameters))
    {}

    const MaterialExpression<dim> kappa, source;
    const BoundaryConditions<dim> boundary;
    const bool eliminate_after;
  };

  /// The equation on the cells and faces of a case.
  struct Data
  {
    BoundaryFaces faces;
    Coefficient kappa, source;
  };

  template <int dim>
  Data
  discretize(const Equation<dim> &equation, Discretization<dim> &d)
  {
    const auto &boundary = equation.boundary;
    check_connected_parts(d.mesh, boundary.fixed_boundaries(d.mesh));
    d.makes_float = true;
    d.build(
      [&]() { return boundary.constraints(d.mesh, *d.mapping, d.dof_handler); },
      equation.eliminate_after);
    Data data{boundary.faces(d.mesh, *d.mapping, d.dof_handler),
              equation.kappa.coefficient(d.mesh, *d.space),
              equation.source.coefficient(d.mesh, *d.space)};
    for (const Coefficient *c : {&data.kappa, &data.source})
      if (c->kind != Coefficient::Kind::uniform)
        d.n_varying += c->n_components;
    d.entry.phases.coefficients = d.timer.lap();
    return data;
  }

  template <class Number>
  std::shared_ptr<const BoundaryMatrices<Number>>
  robin_terms(const DiscreteProblem &d, const Data &data)
  {
    if (data.faces.mass.empty())
      return {};
    return std::make_shared<const BoundaryMatrices<Number>>(
      *d.space, data.faces, d.backend);
  }

  template <class Number>
  Solution
  solve(DiscreteProblem &d, const Data &data, const bool eliminate_after)
  {
    const auto cells =
      std::make_shared<const CellData<Number>>(d.space, d.backend);
    const auto robin      = robin_terms<Number>(d, data);
    d.entry.phases.upload = d.timer.lap();

    LinearSystem<Number> system(
      d,
      [&](const std::string &name, const AssemblyOptions &options) {
        return make_operator<Number>(name, cells, laplace(data.kappa), options,
                                     {}, robin);
      },
      [&](const std::string &name, const AssemblyOptions &options) {
        return make_operator<float>(
          name, std::make_shared<const CellData<float>>(d.space, d.backend),
          laplace(data.kappa), options, {}, robin_terms<float>(d, data));
      });
    const Conflict conflict = d.solver.conflict(d.backend);
    const Route route       = d.solver.route_of_loads();
    auto b                  = cells->make_vector();
    add_load_vector(b, *cells, data.source, conflict, route);
    if (data.faces.n_faces() > 0)
      add_boundary_load(b, *cells, data.faces, conflict, route);
    const auto &values = d.flat.boundary_values;
    if (eliminate_after)
      system.eliminate(b);
    else if (std::any_of(values.begin(), values.end(),
                         [](const double value) { return value != 0.; }))
      {
        auto g = cells->make_vector();
        import_dofs(g, *d.space, values);
        lift<Number>(b, g, cells, laplace(data.kappa), robin.get(), conflict);
      }
    return system.solve(b);
  }

  template <int dim>
  std::vector<study::Flux>
  fluxes(const Equation<dim> &equation, const Discretization<dim> &d,
         const Data &data, const std::vector<double> &values)
  {
    const dealii::Vector<double> u(values.begin(), values.end());
    const auto expressions = equation.kappa.expressions_of_cells(d.mesh);
    const typename MaterialExpression<dim>::Evaluator kappa(equation.kappa);
    const FluxProblem<dim> problem{
      *d.mapping,
      d.dof_handler,
      u,
      *d.space,
      data.kappa,
      data.source,
      data.faces,
      equation.boundary.dirichlet_boundaries(d.mesh),
      [&](const auto &cell, const dealii::Point<dim> &p) {
        return kappa.tensor(expressions[cell->active_cell_index()], p);
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
} // namespace


void
declare_poisson(Parameters &parameters)
{
  declare_discretization(parameters);
  MaterialExpression<2>::declare(
    parameters, "Coefficient", "Expression", "1",
    "kappa: one formula of x, y and z, or those of a symmetric tensor, "
    "xx; xy; yy in two and xx; xy; xz; yy; yz; zz in three dimensions");
  MaterialExpression<2>::declare(parameters, "Source", "Function expression",
                                 "0", "f, a formula of x, y and z");
  BoundaryConditions<2>::declare(parameters);
  declare_elimination(parameters);
  ExactSolution<2>::declare(parameters);
  declare_study(parameters, [&]() {
    parameters.declare("Output/Fluxes", "true", dealii::Patterns::Bool(),
                       "whether the integral of (kappa grad u) . n over each "
                       "boundary is computed");
  });
}


template <int dim>
void
run_poisson(const Parameters &parameters, const study::CommandLine &line,
            study::Record &record)
{
  const Equation<dim> equation(parameters);
  const auto exact        = ExactSolution<dim>::read(parameters);
  const bool wants_fluxes = parameters.get_bool("Output/Fluxes");
  run_study<dim>(
    parameters, line, record, exact.get(), [&](Discretization<dim> &d) {
      return [&, data = discretize(equation, d)]() {
        Solution solution = d.solver.on_number([&](auto zero) {
          return solve<decltype(zero)>(d, data, equation.eliminate_after);
        });
        if (wants_fluxes)
          solution.evaluate = [&, values = solution.values]() {
            d.entry.results.fluxes = fluxes(equation, d, data, values);
          };
        return solution;
      };
    });
}


template void
run_poisson<2>(const Parameters &, const study::CommandLine &, study::Record &);
template void
run_poisson<3>(const Parameters &, const study::CommandLine &, study::Record &);

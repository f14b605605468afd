#include "poisson.h"

#include "results.h"
#include "transient.h"

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/load_vector.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/errors.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lift.h>

#include <algorithm>
#include <optional>

using namespace tessera;

namespace
{
  template <class Number>
  std::shared_ptr<const BoundaryMatrices<Number>>
  robin_terms(const DiscreteProblem &d, const Data &data)
  {
    if (data.faces.mass.empty())
      return {};
    return std::make_shared<const BoundaryMatrices<Number>>(
      *d.space, d.faces_here(data.faces), d.backend);
  }

  template <class Number>
  Solution
  solve(DiscreteProblem &d, const Data &data, const bool eliminate_after)
  {
    const auto cells =
      std::make_shared<const CellData<Number>>(d.space, d.backend);
    const auto robin      = robin_terms<Number>(d, data);
    const Form form       = data.form(*d.space);
    const auto tail       = d.tail<Number>();
    d.entry.phases.upload = d.timer.lap();

    using MakeFloat =
      typename LinearSystem<Number>::template MakeOperator<float>;
    LinearSystem<Number> system(
      d,
      [&](const std::string &name, const AssemblyOptions &options) {
        return make_operator<Number>(name, cells, form, options, tail, robin);
      },
      d.makes_float ?
        [&](const std::string &name, const AssemblyOptions &options) {
          return make_operator<float>(
            name, std::make_shared<const CellData<float>>(d.space, d.backend),
            form, options, d.tail<float>(), robin_terms<float>(d, data));
        } :
        MakeFloat());
    const Conflict conflict = d.solver.conflict(d.backend);
    const Route route       = d.solver.route_of_loads();
    auto b                  = cells->make_vector();
    add_load_vector(b, *cells, data.source, conflict, route);
    const BoundaryFaces faces = d.faces_here(data.faces);
    if (faces.n_faces() > 0)
      add_boundary_load(b, *cells, faces, conflict, route);
    const auto &values = d.flat.boundary_values;
    bool lifts         = std::any_of(values.begin(), values.end(),
                                     [](const double value) { return value != 0.; });
    if (d.division != nullptr)
      lifts = d.division->processes().any(lifts);
    if (eliminate_after)
      system.eliminate(b);
    else if (lifts)
      {
        auto g = cells->make_vector();
        import_dofs(g, *d.space, values);
        lift<Number>(b, g, cells, form, robin.get(), conflict, tail);
      }
    else
      finish_right_hand_side(b, *cells, tail);
    return system.solve(b);
  }
} // namespace


void
declare_poisson(Parameters &parameters)
{
  declare_discretization(parameters, true);
  Equation<2>::declare(parameters);
  ExactSolution<2>::declare(parameters);
  declare_study(parameters, [&]() { Results<2>::declare(parameters); });
}


template <int dim>
void
run_poisson(const Parameters &parameters, const program::CommandLine &line,
            program::Record &record)
{
  Equation<dim> equation(parameters);
  const auto exact = ExactSolution<dim>::read(parameters);
  if (exact && equation.time)
    exact->set_time(equation.time->end);
  const Results<dim> results(equation, parameters);
  run_study<dim>(
    parameters, line, record, exact.get(), [&](Discretization<dim> &d) {
      equation.set_time(0);
      std::optional<MeshInTime<dim>> mesh;
      if (equation.time)
        mesh.emplace(equation, d);
      Data data = mesh ? mesh->begin() : discretize(equation, d);
      return [&, mesh, data]() mutable {
        Rate rate;
        Solution solution =
          mesh
            ? solve_in_time(equation, *mesh, d, data, line.output_folder, rate)
            : d.solver.on_number([&](auto zero) {
                return solve<decltype(zero)>(d, data, equation.eliminate_after);
              });
        solution.evaluate = [&, values = solution.values, rate]() {
          results.evaluate(d, data, values, rate);
        };
        return solution;
      };
    });
}


template void
run_poisson<2>(const Parameters &, const program::CommandLine &,
               program::Record &);
template void
run_poisson<3>(const Parameters &, const program::CommandLine &,
               program::Record &);

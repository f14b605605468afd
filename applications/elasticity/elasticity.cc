#include "elasticity.h"

#include "results.h"

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/load_vector.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/errors.h>
#include <tessera/forms/elasticity_b_bar.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lift.h>

#include <algorithm>

using namespace tessera;

namespace
{
  /// A displacement, and the loads of all degrees of freedom by deal.II's index
  /// or, in several processes, those of the cells of this one.
  struct Solved
  {
    Solution solution;
    std::vector<double> loads;
  };

  template <class Number, int dim>
  Solved
  solve(DiscreteProblem &d, const Data<dim> &data, const bool eliminate_after)
  {
    const auto cells =
      std::make_shared<const CellData<Number>>(d.space, d.backend);
    std::shared_ptr<const BoundaryMatrices<Number>> springs;
    if (!data.faces.mass.empty())
      springs = std::make_shared<const BoundaryMatrices<Number>>(
        *d.space, data.faces, d.backend);
    const auto tail       = d.tail<Number>();
    d.entry.phases.upload = d.timer.lap();
    const Form form       = data.form();
    LinearSystem<Number> system(
      d, [&](const std::string &name, const AssemblyOptions &options) {
        return make_operator<Number>(name, cells, form, options, tail, springs);
      });
    const Conflict conflict = d.solver.conflict(d.backend);
    const Route route       = d.solver.route_of_loads();
    auto b                  = cells->make_vector();
    add_load_vector(b, *cells, data.force, conflict, route);
    if (data.faces.n_faces() > 0)
      add_boundary_load(b, *cells, data.faces, conflict, route);
    // Given components have loads, too, which their reactions balance.
    Solved solved{{}, std::vector<double>(d.flat.dofs.size())};
    auto values = b.to_vector();
    for (int i = 0; i < d.space->padding_index() * d.space->n_components; ++i)
      {
        const int dof = dof_of_entry(*d.space, d.flat.dofs, i);
        values[i] += static_cast<Number>(data.loads[dof]);
        solved.loads[dof] = values[i];
        values[i] +=
          static_cast<Number>(data.expanding[dof] + data.resting[dof]);
      }
    if (!data.loads.all_zero() || !data.expanding.all_zero() ||
        !data.resting.all_zero())
      b.copy_from(values);
    const auto &given = d.flat.boundary_values;
    bool lifts        = std::any_of(given.begin(), given.end(),
                                    [](const double value) { return value != 0.; });
    if (d.division != nullptr)
      lifts = d.division->processes().any(lifts);
    if (eliminate_after)
      system.eliminate(b);
    else if (lifts)
      {
        auto g = cells->make_vector();
        import_dofs(g, *d.space, given, d.flat.dofs);
        lift<Number>(b, g, cells, form, springs.get(), conflict, tail);
      }
    else
      finish_right_hand_side(b, *cells, tail);
    solved.solution = system.solve(b);
    return solved;
  }
} // namespace


void
declare_elasticity(Parameters &parameters)
{
  declare_discretization(parameters, true);
  Equation<2>::declare(parameters);
  ExactSolution<2>::declare(parameters);
  declare_study(parameters);
}


template <int dim>
void
run_elasticity(const Parameters &parameters, const program::CommandLine &line,
               program::Record &record)
{
  const Equation<dim> equation(parameters);
  const auto exact = ExactSolution<dim>::read(parameters, dim);
  run_study<dim>(
    parameters, line, record, exact.get(),
    [&](Discretization<dim> &d) {
      return [&, data = discretize(equation, d)]() {
        Solved solved     = d.solver.on_number([&](auto zero) {
          return solve<decltype(zero)>(d, data, equation.eliminate_after);
        });
        Solution solution = solved.solution;
        solution.evaluate = [&, solved = std::move(solved)]() {
          add_results(equation, d, data, solved.solution.values, solved.loads,
                      line.output_folder);
        };
        return solution;
      };
    },
    dim);
}


template void
run_elasticity<2>(const Parameters &, const program::CommandLine &,
                  program::Record &);
template void
run_elasticity<3>(const Parameters &, const program::CommandLine &,
                  program::Record &);

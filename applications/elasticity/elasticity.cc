#include "elasticity.h"

#include "results.h"

#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/errors.h>
#include <tessera/forms/elasticity_b_bar.h>

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
  solve(DiscreteProblem &d, const Data<dim> &data)
  {
    const auto problem    = d.problem<Number>(data.faces);
    d.entry.phases.upload = d.timer.lap();
    LinearSystem<Number> system(d, problem, data.form());
    auto b = problem.loads(data.force, data.faces);
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
    system.lift(b);
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
        Solved solved = d.solver.on_number(
          [&](auto zero) { return solve<decltype(zero)>(d, data); });
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

#include "elasticity.h"

#include "derived_stresses.h"
#include "results.h"

#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/errors.h>

using namespace tessera;

namespace
{
  template <int dim>
  class ElasticityCase : public StudyCase<dim>
  {
  public:
    ElasticityCase(const Equation<dim> &equation, std::string folder,
                   Discretization<dim> &d)
      : equation(equation), folder(std::move(folder)), d(d)
    {}

    void
    discretize() override
    {
      data = ::discretize(equation, d);
    }

    Solution
    solve() override
    {
      return d.solver.on_number(
        [&](auto zero) { return solve_in<decltype(zero)>(); });
    }

    void
    evaluate(const Solution &solution, const dealii::Vector<double> &) override
    {
      add_results(equation, d, data, solution.values, loads, folder);
    }

    std::unique_ptr<DerivedQuantities<dim>>
    derive(const std::vector<std::string> &names,
           const dealii::Vector<double> &u) override
    {
      return derived_stresses(data.stresses(d, u), names);
    }

  private:
    template <class Number>
    Solution
    solve_in()
    {
      const auto problem    = d.template problem<Number>(data.faces);
      d.entry.phases.upload = d.timer.lap();
      LinearSystem<Number> system(d, problem, data.form());
      Vector<Number> b = problem.loads(data.force, data.faces);
      add_nodal_loads(b);
      system.lift(b);
      return system.solve(b);
    }

    /// Adds the loads at nodes to the loads of cells and faces in b, and keeps
    /// the sums.
    /// Given components have loads, too, which their reactions balance.
    template <class Number>
    void
    add_nodal_loads(Vector<Number> &b)
    {
      loads.assign(d.flat.dofs.size(), 0.);
      std::vector<Number> values = b.to_vector();
      for (int i = 0; i < d.space->padding_index() * d.space->n_components; ++i)
        {
          const int dof = dof_of_entry(*d.space, d.flat.dofs, i);
          values[i] += static_cast<Number>(data.loads[dof]);
          loads[dof] = values[i];
          values[i] +=
            static_cast<Number>(data.expanding[dof] + data.resting[dof]);
        }
      if (!data.loads.all_zero() || !data.expanding.all_zero() ||
          !data.resting.all_zero())
        b.copy_from(values);
    }

    const Equation<dim> &equation;
    const std::string folder;
    Discretization<dim> &d;
    Data<dim> data;
    /// The loads of all degrees of freedom by deal.II's index. In several
    /// processes, each has what its own cells contribute.
    std::vector<double> loads;
  };
} // namespace


void
declare_elasticity(Parameters &parameters)
{
  declare_discretization(parameters, true);
  Equation<2>::declare(parameters);
  ExactSolution<2>::declare(parameters);
  declare_study(
    parameters, []() {}, names_of_stresses());
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
      return std::make_unique<ElasticityCase<dim>>(equation, line.output_folder,
                                                   d);
    },
    dim);
}


template void
run_elasticity<2>(const Parameters &, const program::CommandLine &,
                  program::Record &);
template void
run_elasticity<3>(const Parameters &, const program::CommandLine &,
                  program::Record &);

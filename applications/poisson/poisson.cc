#include "poisson.h"

#include "heat_flux.h"
#include "results.h"
#include "transient.h"

#include <tessera/fem/fields/errors.h>

#include <optional>

using namespace tessera;

namespace
{
  template <class Number>
  Solution
  solve_stationary(SolverCase &d, const Data &data)
  {
    const BoundaryFaces faces = d.own_faces(data.faces);
    const auto problem        = d.problem<Number>(faces);
    d.entry.phases.upload     = d.timer.lap();

    LinearSystem<Number> system(d, problem, data.form(*d.space));
    auto b = problem.loads(data.source, faces);
    system.lift(b);
    return system.solve(b);
  }

  template <int dim>
  class PoissonCase : public StudyCase<dim>
  {
  public:
    PoissonCase(Equation<dim> &equation, const Results<dim> &results,
                std::string folder, Discretization<dim> &d)
      : equation(equation), results(results), folder(std::move(folder)), d(d)
    {}

    void
    discretize() override
    {
      equation.begin_time(d.cycle);
      if (equation.time)
        data = mesh.emplace(equation, d).begin();
      else
        data = ::discretize(equation, d);
    }

    Solution
    solve() override
    {
      if (mesh)
        return solve_in_time(equation, *mesh, d, data, folder, rate);
      return d.solver.on_number(
        [&](auto zero) { return solve_stationary<decltype(zero)>(d, data); });
    }

    void
    evaluate(const Solution &, const dealii::Vector<double> &u) override
    {
      results.evaluate(d, data, u, rate);
    }

    std::unique_ptr<DerivedQuantities<dim>>
    derive(const std::vector<std::string> &names,
           const dealii::Vector<double> &u) override
    {
      return quantities_of(flux_fields(equation.kappa, d.mesh(), names),
                           d.cells(), u);
    }

  private:
    Equation<dim> &equation;
    const Results<dim> &results;
    const std::string folder;
    Discretization<dim> &d;
    std::optional<MeshInTime<dim>> mesh; ///< if the problem is in time
    Data data;
    Rate rate;
  };
} // namespace


void
declare_poisson(Parameters &parameters)
{
  declare_discretization(parameters, true);
  Equation<2>::declare(parameters);
  ExactSolution<2>::declare(parameters);
  declare_study(
    parameters, [&]() { Results<2>::declare(parameters); }, names_of_fluxes());
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
  run_study<dim>(parameters, line, record, exact.get(),
                 [&](Discretization<dim> &d) {
                   return std::make_unique<PoissonCase<dim>>(
                     equation, results, line.output_folder, d);
                 });
}


template void
run_poisson<2>(const Parameters &, const program::CommandLine &,
               program::Record &);
template void
run_poisson<3>(const Parameters &, const program::CommandLine &,
               program::Record &);

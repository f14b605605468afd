#include "poisson.h"

#include "results.h"
#include "transient.h"

#include <tessera/fem/fields/errors.h>

#include <optional>

using namespace tessera;

namespace
{
  template <class Number>
  Solution
  solve(DiscreteProblem &d, const Data &data)
  {
    const BoundaryFaces faces = d.faces_here(data.faces);
    const auto problem        = d.problem<Number>(faces);
    d.entry.phases.upload     = d.timer.lap();

    LinearSystem<Number> system(d, problem, data.form(*d.space));
    auto b = problem.loads(data.source, faces);
    system.lift(b);
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
        Solution solution = mesh ? solve_in_time(equation, *mesh, d, data,
                                                 line.output_folder, rate)
                                 : d.solver.on_number([&](auto zero) {
                                     return solve<decltype(zero)>(d, data);
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

// -div(kappa grad u) = u with a known solution: the least an application needs.
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/driver/application.h>
#include <tessera/fem/driver/refinement_study.h>
#include <tessera/forms/laplace.h>

#include <deal.II/base/function_lib.h>

#include <deal.II/numerics/vector_tools_boundary.h>

using namespace dealii;
using namespace tessera;

template <class Number>
Solution
solve(DiscreteProblem &d, const Form &form, const Coefficient &source)
{
  const auto problem = d.problem<Number>();
  LinearSystem<Number> system(d, problem, form);
  auto b = problem.loads(source);
  system.lift(b);
  return system.solve(b);
}

template <int dim>
void
run(const Parameters &parameters, const program::CommandLine &line,
    program::Record &record)
{
  const Functions::CosineFunction<dim> exact;
  const Form form =
    laplace(Coefficient::scalar(4 / (dim * numbers::PI * numbers::PI)));
  run_study<dim>(parameters, line, record, &exact, [&](auto &d) {
    d.build([&]() {
      AffineConstraints<double> constraints;
      for (const auto id : d.mesh.triangulation.get_boundary_ids())
        VectorTools::interpolate_boundary_values(*d.mapping, d.dof_handler, id,
                                                 exact, constraints);
      constraints.close();
      return constraints;
    });
    return [&, source = at_quadrature_points(*d.space, exact)]() {
      return d.solver.on_number(
        [&](auto zero) { return solve<decltype(zero)>(d, form, source); });
    };
  });
}

int
main(int argc, char **argv)
{
  const auto declare = [](Parameters &parameters) {
    declare_discretization(parameters, true);
    declare_study(parameters);
  };
  return run_application(argc, argv, "template",
                         "Solves -div(kappa grad u) = u.", declare, run<2>,
                         run<3>);
}

// -div(kappa grad u) = u with a known solution: the least an application needs.
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/driver/application.h>
#include <tessera/fem/driver/refinement_study.h>
#include <tessera/forms/laplace.h>

#include <deal.II/base/function_lib.h>

#include <deal.II/numerics/vector_tools_boundary.h>

using namespace dealii;
using namespace tessera;

template <int dim>
class TemplateCase : public StudyCase<dim>
{
public:
  TemplateCase(const Function<dim> &exact, Discretization<dim> &d)
    : exact(exact), d(d)
  {}

  void
  discretize() override
  {
    d.build([&]() {
      AffineConstraints<double> constraints;
      for (const auto id : d.mesh().boundary_ids())
        VectorTools::interpolate_boundary_values(*d.mapping, d.dof_handler(),
                                                 id, exact, constraints);
      constraints.close();
      return constraints;
    });
    source = at_quadrature_points(*d.space, exact);
  }

  Solution
  solve() override
  {
    return d.solver.on_number(
      [&](auto zero) { return solve_in<decltype(zero)>(); });
  }

private:
  template <class Number>
  Solution
  solve_in()
  {
    const double kappa = 4 / (dim * numbers::PI * numbers::PI);
    const auto problem = d.template problem<Number>();
    LinearSystem<Number> system(d, problem,
                                laplace(Coefficient::scalar(kappa)));
    auto b = problem.loads(source);
    system.lift(b);
    return system.solve(b);
  }

  const Function<dim> &exact;
  Discretization<dim> &d;
  Coefficient source;
};

template <int dim>
void
run(const Parameters &parameters, const program::CommandLine &line,
    program::Record &record)
{
  const Functions::CosineFunction<dim> exact;
  run_study<dim>(parameters, line, record, &exact, [&](auto &d) {
    return std::make_unique<TemplateCase<dim>>(exact, d);
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

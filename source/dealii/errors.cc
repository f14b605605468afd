#include <tessera/dealii/errors.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/numerics/vector_tools_integrate_difference.h>

#include <cmath>

namespace tessera
{
  namespace
  {
    const std::string value_entry    = "Exact solution/Function expression";
    const std::string gradient_entry = "Exact solution/Gradient expression";
  } // namespace


  void
  ExactSolution::declare(Parameters &parameters)
  {
    namespace Patterns = dealii::Patterns;
    parameters.declare(value_entry, "", Patterns::Anything(),
                       "u, a formula of x and y; empty: it is not known");
    parameters.declare(gradient_entry, "", Patterns::Anything(),
                       "du/dx; du/dy; empty: differences of fourth order");
  }


  std::unique_ptr<ExactSolution>
  ExactSolution::read(const Parameters &parameters)
  {
    if (parameters.get(value_entry).empty())
      return {};
    auto exact = std::make_unique<ExactSolution>();
    exact->u   = Expression(parameters, value_entry).function();
    if (!parameters.get(gradient_entry).empty())
      exact->grad_u = Expression(parameters, gradient_entry, {2}).function();
    return exact;
  }


  double
  ExactSolution::value(const dealii::Point<2> &p, const unsigned int) const
  {
    return u->value(p);
  }


  dealii::Tensor<1, 2>
  ExactSolution::gradient(const dealii::Point<2> &p, const unsigned int) const
  {
    if (!grad_u)
      return u->gradient(p);
    dealii::Tensor<1, 2> result;
    result[0] = grad_u->value(p, 0);
    result[1] = grad_u->value(p, 1);
    return result;
  }


  ErrorNorms
  error_norms(const dealii::DoFHandler<2> &dof_handler,
              const dealii::Vector<double> &solution,
              const dealii::Function<2> &exact)
  {
    namespace VectorTools = dealii::VectorTools;
    const dealii::QGauss<2> quadrature(dof_handler.get_fe().degree + 3);
    const auto norm = [&](const VectorTools::NormType type) {
      dealii::Vector<double> cellwise;
      VectorTools::integrate_difference(dof_handler, solution, exact, cellwise,
                                        quadrature, type);
      return VectorTools::compute_global_error(dof_handler.get_triangulation(),
                                               cellwise, type);
    };
    return {norm(VectorTools::L2_norm), norm(VectorTools::H1_seminorm)};
  }


  double
  convergence_rate(const double error_before, const double error,
                   const unsigned int n_cells_before,
                   const unsigned int n_cells)
  {
    return 2. * std::log(error_before / error) /
           std::log(static_cast<double>(n_cells) / n_cells_before);
  }
} // namespace tessera

#include <tessera/base/error.h>
#include <tessera/fem/fields/errors.h>

#include <utility>
#include <vector>

namespace tessera
{
  namespace
  {
    const std::string entry_of_u        = "Exact solution/Function expression";
    const std::string entry_of_gradient = "Exact solution/Gradient expression";
  } // namespace


  template <int dim>
  void
  ExactSolution<dim>::declare(Parameters &parameters)
  {
    parameters.declare(entry_of_u, "", Patterns::Anything(),
                       "u, a formula of x, y and z; empty: it is not known");
    parameters.declare(entry_of_gradient, "", Patterns::Anything(),
                       "du/dx; du/dy, in three dimensions also du/dz; empty: "
                       "differences of fourth order");
  }


  template <int dim>
  std::unique_ptr<ExactSolution<dim>>
  ExactSolution<dim>::read(const Parameters &parameters, const int n_components)
  {
    if (parameters.get(entry_of_u).empty())
      {
        if (!parameters.get(entry_of_gradient).empty())
          throw ParameterError("'" + entry_of_gradient + "' needs '" +
                               entry_of_u + "', which is empty.");
        return {};
      }
    std::optional<Expression<dim>> gradient;
    Expression<dim> u(parameters, entry_of_u, {n_components});
    if (!parameters.get(entry_of_gradient).empty())
      gradient.emplace(parameters, entry_of_gradient,
                       std::vector<int>{n_components * dim});
    return std::make_unique<ExactSolution>(std::move(u), std::move(gradient));
  }


  template <int dim>
  ExactSolution<dim>::ExactSolution(Expression<dim> of_values,
                                    std::optional<Expression<dim>> gradient)
    : dealii::Function<dim>(of_values.n_components()),
      of_u(std::move(of_values)), of_gradient(std::move(gradient)),
      u(of_u.function())
  {
    if (of_gradient)
      grad_u = of_gradient->function();
  }


  template <int dim>
  double
  ExactSolution<dim>::value(const dealii::Point<dim> &p,
                            const unsigned int component) const
  {
    return u->value(p, component);
  }


  template <int dim>
  dealii::Tensor<1, dim>
  ExactSolution<dim>::gradient(const dealii::Point<dim> &p,
                               const unsigned int component) const
  {
    if (grad_u == nullptr)
      return u->gradient(p, component);
    dealii::Tensor<1, dim> result;
    for (int d = 0; d < dim; ++d)
      result[d] = grad_u->value(p, component * dim + d);
    return result;
  }


  template <int dim>
  void
  ExactSolution<dim>::value_list(const std::vector<dealii::Point<dim>> &points,
                                 std::vector<double> &values,
                                 const unsigned int component) const
  {
    u->value_list(points, values, component);
  }


  template <int dim>
  void
  ExactSolution<dim>::gradient_list(
    const std::vector<dealii::Point<dim>> &points,
    std::vector<dealii::Tensor<1, dim>> &gradients,
    const unsigned int component) const
  {
    if (grad_u == nullptr)
      return u->gradient_list(points, gradients, component);
    static thread_local std::vector<double> derivatives;
    derivatives.resize(points.size());
    for (int d = 0; d < dim; ++d)
      {
        grad_u->value_list(points, derivatives, component * dim + d);
        for (std::size_t i = 0; i < points.size(); ++i)
          gradients[i][d] = derivatives[i];
      }
  }


  template <int dim>
  void
  ExactSolution<dim>::set_time(const double t)
  {
    dealii::Function<dim>::set_time(t);
    of_u.set_time(t);
    u->set_time(t);
    if (of_gradient)
      {
        of_gradient->set_time(t);
        grad_u->set_time(t);
      }
  }


  template <int dim>
  typename ExactSolution<dim>::AtPoints
  ExactSolution<dim>::at_points(const Backend backend) const
  {
    AtPoints result{of_u.at_points(backend), {}};
    if (of_gradient && result)
      result.grad_u = of_gradient->at_points(backend);
    if (of_gradient && !result.grad_u)
      result.u = nullptr;
    return result;
  }


  template <int dim>
  void
  ExactSolution<dim>::AtPoints::evaluate(const int component,
                                         const PointPiece &piece,
                                         double *const values) const
  {
    u->evaluate(component, piece, values);
  }


  template <int dim>
  void
  ExactSolution<dim>::AtPoints::differentiate(const int component,
                                              const int direction,
                                              const PointPiece &piece,
                                              double *const values) const
  {
    if (grad_u != nullptr)
      grad_u->evaluate(component * dim + direction, piece, values);
    else
      u->differentiate(component, direction, piece, values);
  }


  template class ExactSolution<2>;
  template class ExactSolution<3>;
} // namespace tessera

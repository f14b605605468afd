#include <tessera/fem/fields/coefficients.h>

#include <algorithm>

// Evaluates the formulas of coefficients at points.
namespace tessera
{
  template <int dim>
  MaterialExpression<dim>::Evaluator::Evaluator(const MaterialExpression &field)
    : field(field)
  {
    for (const auto &expression : field.expressions)
      functions.push_back(expression.function());
  }


  template <int dim>
  void
  MaterialExpression<dim>::Evaluator::spread(double *const values) const
  {
    const double k = values[0];
    std::fill(values, values + field.n_components(),
              field.kind == MaterialValues::axes ? k : 0.);
    if (field.kind != MaterialValues::axes)
      for (int d = 0, c = 0; d < dim; c += dim - d, ++d)
        values[c] = k;
  }


  template <int dim>
  void
  MaterialExpression<dim>::Evaluator::values(const unsigned int expression,
                                             const dealii::Point<dim> &p,
                                             double *const result) const
  {
    const int given = field.expressions[expression].n_components();
    for (int c = 0; c < given; ++c)
      result[c] = functions[expression]->value(p, c);
    if (given < field.n_components())
      spread(result);
  }


  template <int dim>
  void
  MaterialExpression<dim>::Evaluator::values(
    const unsigned int expression,
    const std::vector<dealii::Point<dim>> &points,
    std::vector<double> &result) const
  {
    const int given     = field.expressions[expression].n_components();
    const std::size_t m = field.n_components();
    result.resize(points.size() * m);
    std::vector<double> component(points.size());
    for (int c = 0; c < given; ++c)
      {
        functions[expression]->value_list(points, component, c);
        for (std::size_t i = 0; i < points.size(); ++i)
          result[i * m + c] = component[i];
      }
    for (std::size_t i = 0; i < points.size() && given < int(m); ++i)
      spread(&result[i * m]);
  }


  template <int dim>
  dealii::SymmetricTensor<2, dim>
  MaterialExpression<dim>::Evaluator::tensor(const unsigned int expression,
                                             const dealii::Point<dim> &p) const
  {
    double k[n_tensor_components];
    values(expression, p, k);
    dealii::SymmetricTensor<2, dim> result;
    for (int i = 0, c = 0; i < dim; ++i)
      for (int j = i; j < dim; ++j, ++c)
        result[i][j] = k[c];
    return result;
  }


  template class MaterialExpression<2>::Evaluator;
  template class MaterialExpression<3>::Evaluator;
} // namespace tessera

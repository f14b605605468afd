#pragma once

#include <tessera/base/formula.h>

#include <deal.II/base/auto_derivative_function.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace tessera
{
  /// The step of the differences that derivatives of formulas are.
  constexpr double difference_step = 1e-4;

  /// The function of compiled formulas of the coordinates, whose last variable
  /// may be the time. Lists of points go through the steps of a formula
  /// together.
  template <int dim>
  class FormulaFunction : public dealii::AutoDerivativeFunction<dim>
  {
  public:
    explicit FormulaFunction(
      std::vector<std::shared_ptr<const Formula>> components)
      : dealii::AutoDerivativeFunction<dim>(difference_step, components.size()),
        components(std::move(components))
    {
      this->set_formula(dealii::AutoDerivativeFunction<dim>::FourthOrder);
    }

    double
    value(const dealii::Point<dim> &p,
          const unsigned int component = 0) const override
    {
      double variables[dim + 1];
      std::copy_n(p.begin_raw(), dim, variables);
      variables[dim] = this->get_time();
      return components[component]->value(variables);
    }

    void
    value_list(const std::vector<dealii::Point<dim>> &points,
               std::vector<double> &values,
               const unsigned int component = 0) const override
    {
      if (points.empty())
        return;
      static_assert(sizeof(dealii::Point<dim>) == dim * sizeof(double));
      const Formula &formula = *components[component];
      const double time      = this->get_time();
      std::vector<FormulaArgument> arguments;
      arguments.reserve(dim + 1);
      for (int d = 0; d < dim; ++d)
        arguments.push_back({points[0].begin_raw() + d, dim});
      if (formula.n_arguments() > dim)
        arguments.push_back({&time, 0});
      formula.evaluate(static_cast<std::int64_t>(points.size()), arguments,
                       values.data());
    }

  private:
    std::vector<std::shared_ptr<const Formula>> components;
  };
} // namespace tessera

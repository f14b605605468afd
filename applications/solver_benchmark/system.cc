#include "system.h"

#include <oracle.h>

#include <algorithm>
#include <cmath>

using namespace tessera;

namespace
{
  double
  norm(const std::vector<double> &x)
  {
    double sum = 0;
    for (const double entry : x)
      sum += entry * entry;
    return std::sqrt(sum);
  }

  /// Returns |x - y| / |y|, over the entries of y.
  template <class Number>
  double
  distance(const std::vector<Number> &x, const std::vector<double> &y)
  {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      {
        const double difference = static_cast<double>(x[i]) - y[i];
        sum += difference * difference;
      }
    return std::sqrt(sum) / norm(y);
  }
} // namespace


template <class Number>
std::unique_ptr<Preconditioner<Number>>
System::make_preconditioner(const std::string &name, const Operator<Number> &A,
                            const OptionValues &options) const
{
  if (!problem)
    return tessera::make_preconditioner<Number>(name, A, {options});
  const Form form = benchmarks::form_of(problem->space());
  return problem->make_preconditioner(name, A, options, &form);
}


template <class Number>
Vector<Number>
System::upload(const std::vector<double> &values) const
{
  Vector<Number> result(backend, reference->n_owned(), reference->n_tail());
  std::vector<Number> all(result.size());
  std::copy(values.begin(), values.end(), all.begin());
  result.copy_from(all);
  return result;
}


template <class Number>
double
System::deviation(const Operator<Number> &A) const
{
  if (x.empty())
    return program::not_measured;
  Vector<Number> y = A.make_vector(), from = A.make_vector();
  std::vector<Number> all(from.size());
  std::copy(x.begin(), x.end(), all.begin());
  from.copy_from(all);
  A.vmult(y, from);
  return residual_of(y.to_vector()).largest();
}


template <class Number>
System::Residual
System::residual_of(const std::vector<Number> &y) const
{
  std::vector<double> scaled_y, scaled_b;
  for (std::size_t i = 0; i < b.size(); ++i)
    {
      scaled_y.push_back(static_cast<double>(y[i]) / diagonal[i]);
      scaled_b.push_back(b[i] / diagonal[i]);
    }
  return {distance(y, b), distance(scaled_y, scaled_b)};
}


System::Residual
System::residual(const std::vector<double> &of) const
{
  Vector<double> y = reference->make_vector();
  reference->vmult(y, upload<double>(of));
  return residual_of(y.to_vector());
}


double
System::error(const std::vector<double> &of) const
{
  return x.empty() ? program::not_measured : distance(of, x);
}


void
System::set(Made<double> operator_of_reference, std::vector<double> solution,
            std::vector<double> right_hand_side, const double longest_row)
{
  reference = std::move(operator_of_reference);
  x         = std::move(solution);
  b         = std::move(right_hand_side);

  const bool given = !b.empty();
  if (!given)
    {
      Vector<double> y = reference->make_vector();
      reference->vmult(y, upload<double>(x));
      b = y.to_vector();
      b.resize(x.size());
    }
  // Squared norms then neither overflow nor underflow, whatever the units are.
  double size = 0;
  for (const double value : b)
    size += std::abs(value) / b.size();
  if (size > 0 && std::isfinite(size))
    for (std::vector<double> *values : {&x, &b})
      for (double &value : *values)
        value /= size;
  Vector<double> of_reference = reference->make_vector();
  reference->diagonal(of_reference);
  diagonal = of_reference.to_vector();
  diagonal.resize(b.size());
  if (given && !x.empty())
    residual_of_solution = residual(x).largest();
  std::vector<double> scaled_b = b;
  for (std::size_t i = 0; i < b.size(); ++i)
    scaled_b[i] /= diagonal[i];
  rounding_scale =
    longest_row * norm(x) *
    std::max(*std::max_element(diagonal.begin(), diagonal.end()) / norm(b),
             1 / norm(scaled_b));
}


#define INSTANTIATE(Number)                                                  \
  template std::unique_ptr<Preconditioner<Number>>                           \
  System::make_preconditioner(const std::string &, const Operator<Number> &, \
                              const OptionValues &) const;                   \
  template Vector<Number> System::upload(const std::vector<double> &) const; \
  template double System::deviation(const Operator<Number> &) const;
INSTANTIATE(double)
INSTANTIATE(float)
#undef INSTANTIATE

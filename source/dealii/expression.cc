#include <tessera/base/error.h>
#include <tessera/dealii/exception.h>
#include <tessera/dealii/expression.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/utilities.h>

#include <cmath>
#include <regex>
#include <sstream>

namespace tessera
{
  namespace
  {
    std::string
    place(const double x, const double y)
    {
      std::ostringstream text;
      text << "x = " << x << ", y = " << y;
      return text.str();
    }
  } // namespace


  Expression::Expression(const Parameters &parameters, const std::string &path,
                         const std::vector<int> &legal_components)
    : path(path), components(dealii::Utilities::split_string_list(
                    parameters.get(path), ';'))
  {
    const std::string text = "'" + parameters.get(path) + "'";
    bool fits              = false;
    std::string legal;
    for (const int n : legal_components)
      {
        fits = fits || n == n_components();
        legal += (legal.empty() ? "" : " or ") + std::to_string(n);
      }
    if (!fits)
      throw ParameterError("The expression " + text + " of '" + path +
                           "' has " + std::to_string(n_components()) +
                           " components, legal are " + legal +
                           ", separated by semicolons.");
    try
      {
        const auto parser = function();
        for (int c = 0; c < n_components(); ++c)
          parser->value(dealii::Point<2>(0.5, 0.5), c);
      }
    catch (const dealii::ExceptionBase &exception)
      {
        throw ParameterError("The expression " + text + " of '" + path +
                             "' does not parse: " + message_of(exception));
      }
  }


  bool
  Expression::varies() const
  {
    static const std::regex variable("\\b(x|y|rand|rand_seed)\\b");
    for (const auto &component : components)
      if (std::regex_search(component, variable))
        return true;
    return false;
  }


  std::unique_ptr<dealii::FunctionParser<2>>
  Expression::function() const
  {
    auto parser = std::make_unique<dealii::FunctionParser<2>>(n_components());
    parser->initialize(
      "x,y", components,
      {{"pi", dealii::numbers::PI}, {"e", dealii::numbers::E}});
    parser->set_formula(dealii::AutoDerivativeFunction<2>::FourthOrder);
    parser->set_h(1e-4);
    return parser;
  }


  std::vector<double>
  Expression::evaluate(const std::vector<double> &points) const
  {
    const auto n = static_cast<std::ptrdiff_t>(points.size() / 2);
    const int m  = n_components();
    std::vector<double> values(n * m);
    std::ptrdiff_t bad = n;
#pragma omp parallel reduction(min : bad)
    {
      const auto parser = function();
#pragma omp for schedule(static)
      for (std::ptrdiff_t i = 0; i < n; ++i)
        for (int c = 0; c < m; ++c)
          {
            const dealii::Point<2> p(points[2 * i], points[2 * i + 1]);
            const double value = parser->value(p, c);
            values[i * m + c]  = value;
            if (!std::isfinite(value))
              bad = std::min(bad, i);
          }
    }
    if (bad < n)
      throw ParameterError("The expression of '" + path +
                           "' is not a finite number at " +
                           place(points[2 * bad], points[2 * bad + 1]) + '.');
    return values;
  }


  Coefficient
  make_coefficient(const Expression &expression, const Space &space)
  {
    const bool varies = expression.varies();
    return {varies ? Coefficient::Kind::per_quadrature_point
                   : Coefficient::Kind::uniform,
            expression.n_components(),
            expression.evaluate(varies ? quadrature_points(space)
                                       : std::vector<double>{0.5, 0.5})};
  }


  void
  check_positive_definite(const Expression &expression,
                          const Coefficient &kappa, const Space &space)
  {
    const std::size_t m = kappa.n_components;
    for (std::size_t i = 0; i < kappa.values.size() / m; ++i)
      {
        const double *k = &kappa.values[i * m];
        if (k[0] > 0. && (m == 1 || k[0] * k[2] > k[1] * k[1]))
          continue;
        std::string where;
        if (kappa.kind == Coefficient::Kind::per_quadrature_point)
          {
            const auto points = quadrature_points(space);
            where = " at " + place(points[2 * i], points[2 * i + 1]);
          }
        std::ostringstream values;
        for (std::size_t c = 0; c < m; ++c)
          values << (c == 0 ? "" : "; ") << k[c];
        throw ParameterError("The value " + values.str() + " of '" +
                             expression.entry() + "' is not positive definite" +
                             where + '.');
      }
  }
} // namespace tessera

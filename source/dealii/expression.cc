#include <tessera/base/error.h>
#include <tessera/dealii/exception.h>
#include <tessera/dealii/expression.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/utilities.h>

#include <cmath>
#include <iostream>
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

    /// deal.II also prints what muParser complains about: not while this
    /// object lives.
    class Silence
    {
    public:
      Silence() : buffer(std::cerr.rdbuf(nothing.rdbuf()))
      {}

      ~Silence()
      {
        std::cerr.rdbuf(buffer);
      }

      Silence(const Silence &) = delete;
      Silence &
      operator=(const Silence &) = delete;

    private:
      std::ostringstream nothing;
      std::streambuf *buffer;
    };
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
    std::string failure;
    try
      {
        const Silence silence;
        const auto parser = function();
        for (int c = 0; c < n_components(); ++c)
          parser->value(dealii::Point<2>(0.5, 0.5), c);
      }
    catch (const dealii::ExceptionBase &exception)
      {
        const std::string preface = "The parser said: ";
        failure                   = message_of(exception);
        const auto said           = failure.find(preface);
        if (said != std::string::npos)
          failure.erase(0, said + preface.size());
      }
    if (!failure.empty())
      throw ParameterError("The expression " + text + " of '" + path +
                           "' does not parse: " + failure + '.');
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


  Coefficient
  make_tensor(const Expression &expression, const Space &space)
  {
    const Coefficient given = make_coefficient(expression, space);
    const std::size_t m     = given.n_components;
    Coefficient result{given.kind, 3, {}};
    for (std::size_t i = 0; i < given.values.size() / m; ++i)
      {
        const double *v   = &given.values[i * m];
        const double k[3] = {v[0], m == 1 ? 0. : v[1], m == 1 ? v[0] : v[2]};
        result.values.insert(result.values.end(), k, k + 3);
        if (k[0] > 0. && k[0] * k[2] > k[1] * k[1])
          continue;
        std::string where;
        if (given.kind == Coefficient::Kind::per_quadrature_point)
          {
            const auto points = quadrature_points(space);
            where = " at " + place(points[2 * i], points[2 * i + 1]);
          }
        std::ostringstream values;
        for (std::size_t c = 0; c < m; ++c)
          values << (c == 0 ? "" : "; ") << v[c];
        throw ParameterError("The value " + values.str() + " of '" +
                             expression.entry() + "' is not positive definite" +
                             where + '.');
      }
    return result;
  }
} // namespace tessera

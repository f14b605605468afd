#include "formula_function.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/fem/bridge/exception.h>
#include <tessera/fem/input/expression.h>
#include <tessera/program/table.h>

#include <deal.II/base/function_parser.h>
#include <deal.II/base/numbers.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iostream>
#include <regex>
#include <sstream>
#include <utility>

namespace tessera
{
  namespace
  {
    /// Throws ParameterError with the sentence `not_finite(x)` at the first of
    /// the points, [n][dim], at which one of m values is not finite.
    template <int dim>
    void
    check_finite(const std::vector<double> &points,
                 const std::vector<double> &values, const int m,
                 const std::function<std::string(const double *)> &not_finite)
    {
      const auto n       = static_cast<std::ptrdiff_t>(values.size());
      std::ptrdiff_t bad = n;
#pragma omp parallel for schedule(static) reduction(min : bad) if (n > 1000)
      for (std::ptrdiff_t i = 0; i < n; ++i)
        if (!std::isfinite(values[i]))
          bad = std::min(bad, i);
      if (bad < n)
        throw ParameterError(not_finite(&points[dim * (bad / m)]));
    }

    /// Keeps deal.II from printing the complaints of muParser while this object
    /// exists.
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

    /// Returns what is wrong with a text that muParser accepts although it is
    /// no formula of a point: lists (the last value counts), assignments and
    /// random numbers. Returns "" if nothing is wrong.
    std::string
    objection(const std::string &formula)
    {
      static const std::regex random("\\brand(_seed)?\\b");
      if (std::regex_search(formula, random))
        return "random numbers are not a function of the point";
      const auto follows_one_of = [&formula](const std::size_t i,
                                             const std::string &list) {
        return i > 0 && list.find(formula[i - 1]) != std::string::npos;
      };
      std::vector<char> is_call; // of every open parenthesis
      for (std::size_t i = 0; i < formula.size(); ++i)
        switch (formula[i])
          {
              case '(': {
                const auto last =
                  formula.find_last_not_of(' ', i == 0 ? 0 : i - 1);
                is_call.push_back(
                  i > 0 && last != std::string::npos &&
                  std::isalnum(static_cast<unsigned char>(formula[last])) != 0);
                break;
              }
            case ')':
              if (!is_call.empty())
                is_call.pop_back();
              break;
            case ',':
              if (is_call.empty() || is_call.back() == 0)
                return "a comma separates arguments of a function, a point is "
                       "the sign of decimals and a semicolon separates "
                       "components";
              break;
            case '=':
              if (formula.compare(i, 2, "==") == 0)
                ++i;
              else if (!follows_one_of(i, "<>!"))
                return "it assigns by '='; to compare, write '=='";
              break;
            default:
              break;
          }
      return "";
    }

    /// Returns deal.II's reason why it cannot parse a formula, without the
    /// position, which refers to a text that deal.II has rewritten.
    std::string
    reason(const dealii::ExceptionBase &exception)
    {
      const std::string preface = "The parser said: ";
      std::string text          = message_of(exception);
      const auto said           = text.find(preface);
      if (said != std::string::npos)
        text.erase(0, said + preface.size());
      while (!text.empty() && (text.back() == '.' || text.back() == '!'))
        text.pop_back();
      return text;
    }
  } // namespace


  template <int dim>
  std::string
  place(const double *x)
  {
    std::string text;
    for (int d = 0; d < dim; ++d)
      text += (d == 0 ? "" : ", ") + std::string(1, "xyz"[d]) + " = " +
              program::format_coordinate(x[d]);
    return text;
  }


  template <int dim>
  Expression<dim>::Expression(const Parameters &parameters,
                              const std::string &path,
                              const std::vector<int> &legal_components)
    : Expression(parameters, path, legal_components, parameters.get(path))
  {}


  template <int dim>
  Expression<dim>::Expression(const Parameters &parameters,
                              const std::string &path,
                              const std::vector<int> &legal_components,
                              const std::string &formula,
                              const std::string &variable)
    : path(path),
      // deal.II's operators & and | take half of && and || before a name.
      components(dealii::Utilities::split_string_list(
        std::regex_replace(formula, std::regex("&&|\\|\\|"), " $& "), ';')),
      variable(variable == "t" && !parameters.have_time() ? "" : variable)
  {
    if (components.empty())
      throw ParameterError("The expression of '" + path + "' is empty.");
    const std::string text = "'" + formula + "'";
    bool fits              = false;
    std::string legal;
    for (const int n : legal_components)
      {
        fits = fits || n == n_components();
        legal += (legal.empty() ? "" : " or ") + std::to_string(n);
      }
    if (!fits)
      throw ParameterError("The expression " + text + " of '" + path +
                           "' has " + counted(n_components(), "component") +
                           ", legal are " + legal +
                           ", separated by semicolons.");
    std::string failure;
    for (const auto &component : components)
      if (failure.empty())
        failure = objection(component);
    if (failure.empty())
      try
        {
          const Silence silence;
          using Parser = dealii::FunctionParser<dim>;
          Parser parser(n_components());
          parser.initialize(
            Parser::default_variable_names() +
              (this->variable.empty() ? "" : ',' + this->variable),
            components,
            {{"pi", dealii::numbers::PI}, {"e", dealii::numbers::E}},
            !this->variable.empty());
          dealii::Point<dim> middle;
          for (int d = 0; d < dim; ++d)
            middle[d] = 0.5;
          for (int c = 0; c < n_components(); ++c)
            parser.value(middle, c);
        }
      catch (const dealii::ExceptionBase &exception)
        {
          failure = reason(exception);
        }
    if (failure.empty())
      try
        {
          for (const auto &component : components)
            formulas.push_back(
              std::make_shared<Formula>(component, variables()));
        }
      catch (const ParameterError &error)
        {
          failure = error.what();
          failure.pop_back(); // the full stop
        }
    if (!failure.empty())
      throw ParameterError("The expression " + text + " of '" + path +
                           "' does not parse: " + failure + '.');
  }


  template <int dim>
  std::vector<std::string>
  Expression<dim>::variables() const
  {
    std::vector<std::string> result;
    for (int d = 0; d < dim; ++d)
      result.emplace_back(1, "xyz"[d]);
    if (!variable.empty())
      result.push_back(variable);
    return result;
  }


  template <int dim>
  bool
  Expression<dim>::varies() const
  {
    if (!variable.empty() && variable != "t")
      return true; // the other variable does
    static const std::regex coordinate(dim == 2 ? "\\b[xy]\\b" : "\\b[xyz]\\b");
    return std::any_of(components.begin(), components.end(),
                       [](const std::string &component) {
                         return std::regex_search(component, coordinate);
                       });
  }


  template <int dim>
  bool
  Expression<dim>::varies_in_time() const
  {
    static const std::regex time("\\bt\\b");
    return variable == "t" &&
           std::any_of(components.begin(), components.end(),
                       [](const std::string &component) {
                         return std::regex_search(component, time);
                       });
  }


  template <int dim>
  void
  Expression<dim>::check_no_time() const
  {
    if (varies_in_time())
      throw ParameterError("The expression of '" + path +
                           "' depends on t; only sources, boundary values and "
                           "exact solutions may.");
  }


  template <int dim>
  std::unique_ptr<dealii::Function<dim>>
  Expression<dim>::function() const
  {
    auto function = std::make_unique<FormulaFunction<dim>>(formulas);
    function->set_time(time);
    return function;
  }


  template <int dim>
  std::vector<double>
  evaluate_at(
    const std::vector<double> &points, const int m,
    const std::function<std::unique_ptr<dealii::Function<dim>>()> &make,
    const std::function<std::string(const double *)> &not_finite)
  {
    const auto n = static_cast<std::ptrdiff_t>(points.size() / dim);
    std::vector<double> values(n * m);
#pragma omp parallel if (n > 1000)
    {
      const auto f = make();
#pragma omp for schedule(static)
      for (std::ptrdiff_t i = 0; i < n; ++i)
        {
          dealii::Point<dim> p;
          for (int d = 0; d < dim; ++d)
            p[d] = points[dim * i + d];
          for (int c = 0; c < m; ++c)
            values[i * m + c] = f->value(p, c);
        }
    }
    check_finite<dim>(points, values, m, not_finite);
    return values;
  }


  template <int dim>
  std::vector<double>
  Expression<dim>::evaluate(const std::vector<double> &points) const
  {
    const int m = n_components();
    std::vector<FormulaArgument> arguments;
    for (int d = 0; d < dim; ++d)
      arguments.push_back({points.data() + d, dim});
    if (!variable.empty())
      arguments.push_back({&time, 0});
    const auto n = static_cast<std::int64_t>(points.size() / dim);
    auto values  = parallel_vector<double>(n * m);
    for (int c = 0; c < m; ++c)
      formulas[c]->evaluate(n, arguments, values.data() + c, m);
    check_finite<dim>(points, values, m,
                      [this](const double *const x) { return not_finite(x); });
    return values;
  }


  template <int dim>
  std::string
  Expression<dim>::not_finite(const double *const x) const
  {
    std::string where = varies() ? " at " + place<dim>(x) : "";
    if (varies_in_time())
      where +=
        (varies() ? ", t = " : " at t = ") + program::format_coordinate(time);
    return "The expression of '" + path + "' is not a finite number" + where +
           '.';
  }


  template <int dim>
  std::vector<double>
  Expression<dim>::evaluate_not_negative(
    const std::vector<double> &points) const
  {
    const auto values = evaluate(points);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] < 0.)
        {
          std::ostringstream text;
          text << "The value " << values[i] << " of '" << path
               << "' is negative"
               << (varies()
                     ? " at " + place<dim>(&points[i / n_components() * dim])
                     : "")
               << "; legal are values of at least 0.";
          throw ParameterError(text.str());
        }
    return values;
  }


  template <int dim>
  std::vector<double>
  Expression<dim>::evaluate() const
  {
    return evaluate(std::vector<double>(dim, 0.5));
  }


#define INSTANTIATE(dim)                                             \
  template std::string place<dim>(const double *);                   \
  template std::vector<double> evaluate_at<dim>(                     \
    const std::vector<double> &, int,                                \
    const std::function<std::unique_ptr<dealii::Function<dim>>()> &, \
    const std::function<std::string(const double *)> &);             \
  template class Expression<dim>;
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera

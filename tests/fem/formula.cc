#include <tessera/base/error.h>
#include <tessera/base/formula.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/function_parser.h>
#include <deal.II/base/numbers.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>
#include <memory>
#include <random>
#include <sstream>

// Compares compiled formulas with deal.II's parser, which calls muParser.
namespace
{
  using namespace tessera;

  const std::vector<std::string> variables = {"x", "y", "z", "t"};

  class Oracle
  {
  public:
    /// Has no value if the text does not parse.
    explicit Oracle(const std::string &text)
    {
      std::ostringstream nothing; // deal.II prints complaints
      auto *const buffer = std::cerr.rdbuf(nothing.rdbuf());
      try
        {
          parser = std::make_unique<dealii::FunctionParser<3>>(1);
          parser->initialize(
            "x,y,z,t", {text},
            {{"pi", dealii::numbers::PI}, {"e", dealii::numbers::E}}, true);
          parser->value(dealii::Point<3>());
        }
      catch (const dealii::ExceptionBase &)
        {
          parser.reset();
        }
      std::cerr.rdbuf(buffer);
    }

    bool
    parses() const
    {
      return parser != nullptr;
    }

    double
    value(const double *const v) const
    {
      parser->set_time(v[3]);
      return parser->value(dealii::Point<3>(v[0], v[1], v[2]));
    }

  private:
    std::unique_ptr<dealii::FunctionParser<3>> parser;
  };

  std::string
  reason(const std::string &text)
  {
    try
      {
        Formula(text, variables);
      }
    catch (const ParameterError &error)
      {
        return error.what();
      }
    return "";
  }

  /// Values at which functions and comparisons have their special cases.
  const double numbers[] = {0.,
                            -0.,
                            1.,
                            -1.,
                            0.5,
                            -0.5,
                            2.5,
                            0.3,
                            -7.25,
                            3.1,
                            1e-3,
                            1e10,
                            -3e9,
                            1e300,
                            1e-310,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()};

  bool
  same(const double a, const double b)
  {
    return std::memcmp(&a, &b, sizeof(double)) == 0 ||
           (std::isnan(a) && std::isnan(b));
  }

  class Generator
  {
  public:
    explicit Generator(const unsigned int seed) : random(seed)
    {}

    int
    below(const int n)
    {
      return std::uniform_int_distribution<int>(0, n - 1)(random);
    }

    double
    number()
    {
      return numbers[below(std::size(numbers))];
    }

    /// Returns a text that parses. It has the powers 2, 3 and 4 of variables
    /// alone, since powers of other formulas become products here.
    std::string
    formula(const int depth)
    {
      static const std::vector<std::string>
        unary     = {"sin",  "cos",  "tan",   "asin",  "acos",  "atan", "sinh",
                     "cosh", "tanh", "asinh", "acosh", "atanh", "log2", "log10",
                     "log",  "ln",   "exp",   "sqrt",  "sign",  "rint", "abs",
                     "int",  "ceil", "floor", "cot",   "csc",   "sec",  "erfc"},
        chains    = {"min", "max", "sum", "avg"},
        operators = {"+",  "-", "*",  "/",  "+",  "-",  "*",  "/", "<",
                     "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|"},
        exponents = {"0.5", "-1", "1.5", "0", "1", "5", "x", "-y", "-z^t"};
      if (depth == 0)
        return leaf();
      switch (below(12))
        {
          case 0:
            return leaf();
          case 1:
            return '(' + formula(depth - 1) + ')';
          case 2:
            return pick(unary) + (below(4) == 0 ? " (" : "(") +
                   formula(depth - 1) + ')';
            case 3: {
              std::string text = pick(chains) + '(' + formula(depth - 1);
              for (int n = below(4); n > 0; --n)
                text += ", " + formula(depth - 1);
              return text + ')';
            }
          case 4:
            return (below(2) == 0 ? "if(" : "if (") + formula(depth - 1) +
                   ", " + formula(depth - 1) + ", " + formula(depth - 1) + ')';
          case 5:
            return '(' + formula(depth - 1) + " ? " + formula(depth - 1) +
                   " : " + formula(depth - 1) + ')';
          case 6:
            return "(-" + operand(depth - 1) + ')';
          case 7:
            return "atan2(" + formula(depth - 1) + ',' + formula(depth - 1) +
                   ')';
          case 8:
            return below(2) == 0
                     ? variables[below(4)] + '^' + std::to_string(below(6))
                     : operand(depth - 1) + " ^ " + pick(exponents);
          default:
            return formula(depth - 1) + ' ' + pick(operators) +
                   (below(3) == 0 ? " -" : " ") + operand(depth - 1);
        }
    }

    /// Returns tokens in any order, of which few make a formula.
    std::string
    tokens(const int n)
    {
      static const std::vector<std::string> all = {
        "x", "y", "t",   "2",    "0.5",  "1e3", ".5", "3.", "pi",  "_e",  "+",
        "-", "*", "/",   "^",    "<",    "<=",  "==", "!=", "&&",  "||",  "&",
        "|", "?", ":",   "(",    ")",    "(",   ")",  ",",  "sin", "min", "if",
        "x", "1", "(x)", "pow(", "max(", "-",   "+",  "-1", " ",   "\t",  "z"};
      std::string text;
      for (int i = 0; i < n; ++i)
        text += pick(all) + (below(2) == 0 ? " " : "");
      return text;
    }

  private:
    std::string
    pick(const std::vector<std::string> &list)
    {
      return list[below(static_cast<int>(list.size()))];
    }

    std::string
    leaf()
    {
      static const std::vector<std::string> all = {
        "x",  "y",   "z",   "t",    "x",     "y",  "z", "t",  "1",  "2", "3.5",
        ".5", "1e3", "0.1", "1e-3", "2.5e2", "pi", "e", "pi", "_e", "7."};
      return pick(all);
    }

    /// Returns what may stand beside an operator of any precedence, or does not
    /// keep its parts together there.
    std::string
    operand(const int depth)
    {
      return below(3) == 0 ? formula(depth) : '(' + formula(depth) + ')';
    }

    std::mt19937 random;
  };

  /// Expects the values of muParser at some points and returns their number.
  int
  expect_same(const std::string &text, const Oracle &oracle, Generator &some)
  {
    const Formula formula(text, variables);
    constexpr int n = 6;
    double points[n][4], values[n];
    for (auto &point : points)
      for (double &x : point)
        x = some.number();
    formula.evaluate(n,
                     {{points[0], 4},
                      {points[0] + 1, 4},
                      {points[0] + 2, 4},
                      {points[0] + 3, 4}},
                     values);
    for (int i = 0; i < n; ++i)
      {
        const double exact = oracle.value(points[i]);
        EXPECT_TRUE(same(values[i], exact))
          << text << " at " << points[i][0] << ' ' << points[i][1] << ' '
          << points[i][2] << ' ' << points[i][3] << ": " << values[i]
          << " instead of " << exact;
        EXPECT_TRUE(same(values[i], formula.value(points[i]))) << text;
      }
    return n;
  }


  TEST(FormulaOfMuParser, RandomFormulasHaveTheSameBits)
  {
    int compared = 0;
    for (unsigned int seed = 0; seed < 6000 && !HasFailure(); ++seed)
      {
        Generator some(seed);
        const std::string text = some.formula(1 + some.below(5));
        if (const Oracle oracle(text); oracle.parses())
          compared += expect_same(text, oracle, some);
      }
    EXPECT_GT(compared, 6 * 5000);
  }


  TEST(FormulaOfMuParser, RandomTokensParseAlike)
  {
    int parsed = 0;
    for (unsigned int seed = 0; seed < 40000 && !HasFailure(); ++seed)
      {
        Generator some(seed);
        const std::string text = some.tokens(1 + some.below(8));
        const Oracle oracle(text);
        const std::string refused = reason(text);
        // muParser takes lists, of which it evaluates a part, and it does not
        // take || and && before a letter; both have no meaning here.
        if (oracle.parses())
          EXPECT_TRUE(refused.empty() || text.find(',') != std::string::npos)
            << text << ": " << refused;
        else
          EXPECT_TRUE(!refused.empty() || text.find('&') != std::string::npos ||
                      text.find('|') != std::string::npos)
            << text;
        if (oracle.parses() && refused.empty())
          parsed += expect_same(text, oracle, some) > 0;
      }
    EXPECT_GT(parsed, 1000);
  }


  TEST(FormulaOfMuParser, PowersAreProducts)
  {
    Generator some(1);
    for (const std::string text :
         {"(x + y)^2", "(x * y + 0.1)^3", "pow(x - y, 4)", "sin(x)^2"})
      {
        const Oracle oracle(text);
        const Formula formula(text, variables);
        for (int i = 1; i < 100; ++i)
          {
            const double v[]   = {std::sin(i), std::cos(3 * i), 0, 0},
                         exact = oracle.value(v);
            EXPECT_NEAR(formula.value(v), exact,
                        4 * std::numeric_limits<double>::epsilon() *
                          std::abs(exact))
              << text;
          }
      }
  }
} // namespace

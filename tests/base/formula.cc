#include <tessera/base/error.h>
#include <tessera/base/formula.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "test.h"

using namespace tessera;

namespace
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double pi       = 3.14159265358979323846;
  constexpr double e        = 2.71828182845904523536;

  double
  value(const std::string &text, const double x = 0, const double y = 0)
  {
    const double variables[] = {x, y};
    return Formula(text, {"x", "y"}).value(variables);
  }

  /// Returns why a text cannot be compiled.
  std::string
  reason(const std::string &text)
  {
    try
      {
        Formula(text, {"x", "y"});
      }
    catch (const ParameterError &error)
      {
        const std::string sentence = error.what(),
                          start =
                            "The formula '" + text + "' cannot be compiled: ";
        EXPECT_EQ(sentence.find(start), 0u) << sentence;
        return sentence.substr(start.size());
      }
    return "";
  }


  TEST(Formula, OperatorsHaveTheirPrecedence)
  {
    EXPECT_EQ(value("1 + 2 * 3"), 7);
    EXPECT_EQ(value("(1 + 2) * 3"), 9);
    EXPECT_EQ(value("7 - 2 - 1"), 4);
    EXPECT_EQ(value("x / y / 2", 12, 3), 2);
    EXPECT_EQ(value("2 ^ x ^ 2", 3), 512);
    EXPECT_EQ(value("-x ^ 2", 3), -9);
    EXPECT_EQ(value("2 ^ -x * 4", 1), 2);
    EXPECT_EQ(value("2 * -x + 1", 3), -5);
    EXPECT_EQ(value("+x - -y", 1, 2), 3);
    EXPECT_EQ(value("x < y == 1", 1, 2), 1);
    EXPECT_EQ(value("1 + x > y - 1", 1, 2), 1);
    EXPECT_EQ(value("x > 1 || y > 1 && x > 5", 2, 0), 1);
    EXPECT_EQ(value("x ? 1 : y ? 2 : 3", 0, 1), 2);
    EXPECT_EQ(value("x ? y ? 1 : 2 : 3", 1, 0), 2);
    EXPECT_EQ(value("x + 1 ? 2 : 3 + 4", -1), 7);
  }


  TEST(Formula, ComparisonsAndLogicAreZeroOrOne)
  {
    EXPECT_EQ(value("x < y", 1, 2), 1);
    EXPECT_EQ(value("x <= y", 2, 2), 1);
    EXPECT_EQ(value("x > y", 1, 2), 0);
    EXPECT_EQ(value("x >= y", 2, 2), 1);
    EXPECT_EQ(value("x == y", 2, 2), 1);
    EXPECT_EQ(value("x != y", 2, 2), 0);
    EXPECT_EQ(value("x && y", 0.25, 3), 1);
    EXPECT_EQ(value("x || y", 0, 0), 0);
    // deal.II's own operators round, and numbers beside && are truncated.
    EXPECT_EQ(value("x & y", 0.25, 3), 0);
    EXPECT_EQ(value("x | y", 0.25, 0.75), 1);
    EXPECT_EQ(value("0.25 && 3"), 0);
    EXPECT_EQ(value("max(0.25) && 3"), 1);
    EXPECT_EQ(value("(1 & 1) && 0.25"), 1);
    EXPECT_EQ(value("if(x, 1, 2)", 0.25), 2);
    EXPECT_EQ(value("x ? 1 : 2", 0.25), 1);
    EXPECT_EQ(value("if(x, 1, 2)", -0.5), 1);
    EXPECT_EQ(value("if(x, 1, 2)", std::nan("")), 1);
  }


  TEST(Formula, FunctionsHaveTheirValues)
  {
    const double x = 0.375;
    EXPECT_EQ(value("sin(x)", x), std::sin(x));
    EXPECT_EQ(value("cos(x)", x), std::cos(x));
    EXPECT_EQ(value("tan(x)", x), std::tan(x));
    EXPECT_EQ(value("cot(x)", x), 1 / std::tan(x));
    EXPECT_EQ(value("csc(x)", x), 1 / std::sin(x));
    EXPECT_EQ(value("sec(x)", x), 1 / std::cos(x));
    EXPECT_EQ(value("asin(x)", x), std::asin(x));
    EXPECT_EQ(value("acos(x)", x), std::acos(x));
    EXPECT_EQ(value("atan(x)", x), std::atan(x));
    EXPECT_EQ(value("atan2(x, -1)", x), std::atan2(x, -1));
    EXPECT_EQ(value("sinh(x)", x), std::sinh(x));
    EXPECT_EQ(value("cosh(x)", x), std::cosh(x));
    EXPECT_EQ(value("tanh(x)", x), std::tanh(x));
    EXPECT_NEAR(value("asinh(x)", x), std::asinh(x), 1e-15);
    EXPECT_NEAR(value("acosh(x)", 3), std::acosh(3), 1e-15);
    EXPECT_NEAR(value("atanh(x)", x), std::atanh(x), 1e-15);
    EXPECT_EQ(value("exp(x)", x), std::exp(x));
    EXPECT_EQ(value("log(x)", x), std::log(x));
    EXPECT_EQ(value("ln (x)", x), std::log(x));
    EXPECT_NEAR(value("log2(x)", x), std::log2(x), 1e-15);
    EXPECT_EQ(value("log10(x)", x), std::log10(x));
    EXPECT_EQ(value("sqrt(x)", x), std::sqrt(x));
    EXPECT_EQ(value("erf(x)", x), std::erf(x));
    EXPECT_EQ(value("erfc(x)", x), std::erfc(x));
    EXPECT_EQ(value("pow(x, y)", x, 2.5), std::pow(x, 2.5));
    EXPECT_EQ(value("x ^ y", x, 2.5), std::pow(x, 2.5));
    EXPECT_EQ(value("(x + y) ^ 2", 1, 2), 9);
    EXPECT_EQ(value("(x + y) ^ 3", 1, 2), 27);
    EXPECT_EQ(value("pow(x * y, 4)", 1, 2), 16);
    EXPECT_EQ(value("abs(x)", -x), x);
    EXPECT_EQ(value("sign(x)", -x), -1);
    EXPECT_EQ(value("rint(x)", -2.5), -2);
    EXPECT_EQ(value("int(x)", -2.5), -3);
    EXPECT_EQ(value("int(x)", 3e9), -2147483648.);
    EXPECT_EQ(value("int(x)", -2147483648.), -2147483648.);
    EXPECT_EQ(value("int(x)", 2147483647.), 2147483647.);
    EXPECT_EQ(value("ceil(x)", x), 1);
    EXPECT_EQ(value("floor(x)", -x), -1);
    EXPECT_EQ(value("min(x, 2, y)", 3, 1), 1);
    EXPECT_EQ(value("max(x, 2, y)", 3, 1), 3);
    EXPECT_EQ(value("sum(x, 2, y)", 3, 1), 6);
    EXPECT_EQ(value("avg(x, 2, y)", 3, 1), 2);
    EXPECT_EQ(value("max(x)", 3), 3);
  }


  TEST(Formula, NumbersAndConstants)
  {
    EXPECT_EQ(value("1.5e2 + .5 + 3."), 153.5);
    EXPECT_EQ(value("1e-3"), 1e-3);
    for (const std::string name : {"pi", "_pi"})
      EXPECT_EQ(value(name), pi);
    for (const std::string name : {"e", "_e"})
      EXPECT_EQ(value(name), e);
    EXPECT_EQ(value("x"), 0);
    EXPECT_EQ(value("1 / x", -0.), -infinity);
    EXPECT_EQ(value("-1 / 0"), -infinity);
    EXPECT_TRUE(std::isnan(value("sqrt(x)", -1)));
    EXPECT_TRUE(std::isnan(value("log(-1)")));
    EXPECT_EQ(value("log(x)"), -infinity);
    EXPECT_EQ(value("exp(x)", 1000), infinity);
    EXPECT_EQ(value("x == x", std::nan("")), 0);
    // muParser's minimum keeps what is not compared.
    EXPECT_EQ(value("min(1, x)", std::nan("")), 1);
    EXPECT_TRUE(std::isnan(value("min(x, 1)", std::nan(""))));
  }


  TEST(Formula, SaysWhatCannotBeCompiled)
  {
    EXPECT_EQ(reason(""), "it ends too early.");
    EXPECT_EQ(reason("2 *"), "it ends too early.");
    EXPECT_EQ(reason("sin(x"), "it ends too early.");
    EXPECT_EQ(reason("x y"), "'y' is not expected.");
    EXPECT_EQ(reason("x = 1"), "'= 1' is not expected.");
    EXPECT_EQ(reason("1, 2"), "', 2' is not expected.");
    EXPECT_EQ(reason("--x"), "'-x' is not expected.");
    EXPECT_EQ(reason("sin x"), "'x' is not expected.");
    EXPECT_EQ(reason("min()"), "')' is not expected.");
    EXPECT_EQ(reason("x ? 1"), "it ends too early.");
    EXPECT_EQ(reason("1e400"), "'1e400' is not expected.");
    EXPECT_EQ(reason("z + 1"), "'z' is not known.");
    EXPECT_EQ(reason("rand()"), "'rand' is not known.");
    EXPECT_EQ(reason("sin(x, y)"), "'sin' has 1 argument.");
    EXPECT_EQ(reason("pow(x)"), "'pow' has 2 arguments.");
    EXPECT_EQ(reason("if(x, y)"), "'if' has 3 arguments.");
    EXPECT_EQ(reason(std::string(20001, ' ')),
              "it has more than 20000 characters.");
    EXPECT_EQ(reason(std::string(9000, '(') + "x" + std::string(9000, ')')),
              "its parts are nested more than 1000 times.");
    EXPECT_EQ(reason(std::string(1001, '(') + "x" + std::string(1001, ')')),
              "its parts are nested more than 1000 times.");
    EXPECT_EQ(reason(std::string(1000, '(') + "x" + std::string(1000, ')')),
              "");
    EXPECT_THROW(Formula("x", std::vector<std::string>(9, "x")),
                 std::length_error);
    EXPECT_THROW(Formula("x", {"x"}).evaluate(1, {}, nullptr),
                 std::length_error);
  }


  /// Returns a formula that keeps an intermediate result for every level.
  std::string
  nested(const int depth)
  {
    std::string text = "exp(x)";
    for (int i = depth; i > 0; --i)
      text =
        "(exp(x) + " + std::to_string(i) + " / (2 + cos(x) + " + text + "))";
    return text;
  }


  TEST(Formula, BackendsEvaluateManyPoints)
  {
    const std::vector<std::string> formulas = {
      "3",
      "t",
      "x * y + t",
      "exp(-((x - 0.5)^2 + y^2) / 0.1) * sin(3 * pi * x)",
      "if(x > y, x^2, sqrt(abs(y))) - (x < 0.5 ? t : -y)",
      "min(x, y, 0.5) + max(x, t) + avg(x, y) + atan2(x, y + 2)",
      "erf(x) + log(2 + x) * tanh(y) + int(10 * x) + pow(2 + x, y)",
      nested(8)};
    for (const Backend backend : test::backends())
      for (const int n : {0, 1, 127, 129, 4099})
        for (const auto &text : formulas)
          {
            // x and y alternate, values have a stride, and t is a number.
            std::vector<double> points(2 * n);
            for (int i = 0; i < 2 * n; ++i)
              points[i] = std::sin(1. + i);
            const Formula formula(text, {"x", "y", "t"}, backend);
            const Array<double> coordinates(backend, points),
              time(backend, std::vector<double>{0.25});
            Array<double> values(backend, std::vector<double>(3 * n, -7.));
            formula.evaluate(n,
                             {{coordinates.data(), 2},
                              {coordinates.data() + 1, 2},
                              {time.data(), 0}},
                             values.data() + 1, 3);
            const auto result = values.to_vector();
            const Formula at_point(text, {"x", "y", "t"});
            for (int i = 0; i < n; ++i)
              {
                const double variables[] = {points[2 * i], points[2 * i + 1],
                                            0.25};
                const double exact       = at_point.value(variables);
                // Functions of a device are off by a few units of what they are
                // multiplied with, which is below 10 here.
                ASSERT_NEAR(result[3 * i + 1], exact,
                            backend == Backend::host
                              ? 0
                              : 100 * std::numeric_limits<double>::epsilon())
                  << text << " at " << i;
                ASSERT_EQ(result[3 * i], -7);
                ASSERT_EQ(result[3 * i + 2], -7);
              }
          }
  }


  TEST(Formula, DerivativesAreDifferences)
  {
    for (const Backend backend : test::backends())
      for (const int n : {1, 129})
        {
          std::vector<double> points(2 * n);
          for (int i = 0; i < 2 * n; ++i)
            points[i] = std::sin(1. + i);
          const Array<double> x(backend, points);
          Array<double> values(backend, n);
          const Formula formula("sin(3 * x) * y^2", {"x", "y"}, backend);
          for (const int variable : {0, 1})
            {
              formula.differentiate(n, {{x.data(), 2}, {x.data() + 1, 2}},
                                    variable, 1e-4, values.data());
              const auto result = values.to_vector();
              for (int i = 0; i < n; ++i)
                {
                  const double a = points[2 * i], b = points[2 * i + 1];
                  EXPECT_NEAR(result[i],
                              variable == 0 ? 3 * std::cos(3 * a) * b * b
                                            : 2 * std::sin(3 * a) * b,
                              1e-10);
                }
            }
        }
  }


  TEST(Formula, DevicesKeepFewIntermediateResults)
  {
    std::string text = "cos(x)"; // every sum waits for the one behind it
    for (int i = 0; i < 40; ++i)
      text = "(sin(x) + " + text + ")";
    const double at[] = {0.5};
    EXPECT_NEAR(Formula(text, {"x"}).value(at),
                40 * std::sin(0.5) + std::cos(0.5), 1e-13);
    for (const Backend backend : test::backends())
      if (backend == Backend::cuda)
        EXPECT_THROW(Formula(text, {"x"}, backend), ParameterError);
  }
} // namespace

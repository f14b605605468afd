#include <tessera/base/error.h>
#include <tessera/fem/bridge/exception.h>
#include <tessera/fem/input/expression.h>

#include <gtest/gtest.h>

#include <cmath>

namespace
{
  using namespace tessera;

  struct Declared : Parameters
  {
    explicit Declared(const std::string &text)
    {
      declare("Section/Entry", text, Patterns::Anything(), "");
    }
  };

  template <int dim>
  Expression<dim>
  expression(const std::string &text, const std::vector<int> &legal = {1})
  {
    return Expression<dim>(Declared(text), "Section/Entry", legal);
  }

  template <int dim>
  std::string
  error_of(const std::string &text, const std::vector<int> &legal = {1})
  {
    try
      {
        expression<dim>(text, legal);
      }
    catch (const ParameterError &error)
      {
        return error.what();
      }
    return "";
  }


  TEST(Expression, NamesSectionAndEntryWhereItDoesNotParse)
  {
    for (const std::string text : {"sin(",       "x + z",
                                   "2 *",        "foo(x)",
                                   "x y",        "1..2",
                                   "1e400",      "\"a\"",
                                   "x = 1",      "1,2",
                                   "2 * (1, 3)", "min(x, (1, y))",
                                   "rand()",     "x + rand_seed(2)",
                                   "x===y",      "x? 1",
                                   "1,",         ")",
                                   "x)",         "min()",
                                   "0x1"})
      {
        const std::string error = error_of<2>(text);
        EXPECT_EQ(error.find("The expression '" + text +
                             "' of 'Section/Entry' does not parse: "),
                  0u)
          << error;
        EXPECT_EQ(error.find('\n'), std::string::npos);
        EXPECT_EQ(error.find("Stacktrace"), std::string::npos);
        EXPECT_EQ(error.back(), '.');
        EXPECT_NE(error[error.size() - 2], '.') << error;
      }
    EXPECT_EQ(error_of<3>("x + z"), "");
    for (const std::string text :
         {"max(x, min(1, y))", "if(x >= 1 && y != 2, 1, 0)", "x == y ? 1 : 2",
          "x <= 1", "pow (x, 2)", "(x) * (y)"})
      EXPECT_EQ(error_of<2>(text), "") << text;
  }


  TEST(Expression, NamesTheEntryOfWhatIsTooDeep)
  {
    const std::string text =
                        std::string(1001, '(') + 'x' + std::string(1001, ')'),
                      error = error_of<2>(text);
    EXPECT_EQ(error, "The expression '" + text +
                       "' of 'Section/Entry' does not parse: The formula '" +
                       text +
                       "' cannot be compiled: its parts are nested more than "
                       "1000 times.");
  }


  TEST(Expression, CountsComponents)
  {
    EXPECT_NE(error_of<2>("1; 2", {1, 3})
                .find("has 2 components, legal are 1 or 3, separated by "
                      "semicolons."),
              std::string::npos);
    EXPECT_EQ(error_of<2>("1; x; y", {1, 3}), "");
    EXPECT_EQ(error_of<2>(""), "The expression of 'Section/Entry' is empty.");
    EXPECT_NE(error_of<2>("1;;2", {3}).find("does not parse"),
              std::string::npos);
  }


  TEST(Expression, VariesWhereACoordinateOccurs)
  {
    for (const std::string text :
         {"exp(1) + pi", "2 * e", "max(1, 2)", "1e3", "if(1 > 2, 3, 4)"})
      EXPECT_FALSE(expression<3>(text).varies()) << text;
    for (const std::string text : {"x", "2*y", "max(1,z)", "1-z^2"})
      EXPECT_TRUE(expression<3>(text).varies()) << text;
    EXPECT_EQ(expression<2>("2 * e").evaluate(),
              std::vector<double>{2. * std::exp(1.)});
  }


  TEST(Expression, AllThreadsGiveTheValues)
  {
    const int n = 5000;
    std::vector<double> points;
    for (int i = 0; i < 3 * n; ++i)
      points.push_back(0.001 * i);
    const auto values = expression<3>("x + 2*y; y*z", {2}).evaluate(points);
    ASSERT_EQ(values.size(), 2u * n);
    for (int i = 0; i < n; ++i)
      {
        const double *p = &points[3 * i];
        EXPECT_EQ(values[2 * i], p[0] + 2. * p[1]);
        EXPECT_EQ(values[2 * i + 1], p[1] * p[2]);
      }
    EXPECT_TRUE(expression<3>("x").evaluate(std::vector<double>()).empty());
  }


  /// deal.II's operators & and | must not take half of && and ||.
  TEST(Expression, LogicalOperatorsNeedNoSpaces)
  {
    for (const auto &[text, value] :
         {std::pair("x>1&&y>1", 0.), std::pair("x>1||y>1", 1.),
          std::pair("if(x>0&&y>0,3,4)", 3.), std::pair("x<1||y<1", 1.)})
      EXPECT_EQ(expression<2>(text).evaluate({0.5, 2.}),
                std::vector<double>{value})
        << text;
  }

  TEST(Expression, FunctionsHaveTheValuesAndDerivatives)
  {
    const Expression<2> e(Declared(""), "Section/Entry", {2},
                          "sin(x) + u; (x * y)^2", "u");
    const auto f = e.function();
    f->set_time(3.);
    ASSERT_EQ(f->n_components, 2u);
    const dealii::Point<2> p(0.5, 2.);
    EXPECT_EQ(f->value(p), std::sin(0.5) + 3.);
    EXPECT_EQ(f->value(p, 1), 1.);
    EXPECT_NEAR(f->gradient(p)[0], std::cos(0.5), 1e-10);
    EXPECT_NEAR(f->gradient(p, 1)[0], 4., 1e-10);
    EXPECT_NEAR(f->gradient(p, 1)[1], 1., 1e-10);
    EXPECT_EQ(e.evaluate({0.5, 2., 1., 1.}),
              (std::vector<double>{std::sin(0.5), 1., std::sin(1.), 1.}));
  }


  TEST(Expression, SaysWhereItIsNotFinite)
  {
    const auto error = [](const std::string &text) -> std::string {
      try
        {
          expression<3>(text).evaluate({4., 3., 2., 0.5, 1., -3., 0., 1., 1.});
        }
      catch (const ParameterError &failure)
        {
          return failure.what();
        }
      return "";
    };
    EXPECT_EQ(error("sqrt(x - 0.5)"),
              "The expression of 'Section/Entry' is "
              "not a finite number at x = 0, y = 1, z "
              "= 1.");
    EXPECT_EQ(error("log(-1)"),
              "The expression of 'Section/Entry' is not a "
              "finite number.");
    EXPECT_EQ(error("x"), "");
  }


  TEST(Exception, IsOneLineWithoutPlaceAndStack)
  {
    try
      {
        translate_exceptions(
          []() { AssertThrow(false, dealii::ExcMessage("two\nlines.")); });
        FAIL();
      }
    catch (const Error &error)
      {
        EXPECT_EQ(std::string(error.what()), "deal.II refuses: two lines.");
        EXPECT_EQ(error.exit_code(), ExitCode::other);
      }
  }
} // namespace

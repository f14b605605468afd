#include <tessera/base/error.h>
#include <tessera/dealii/errors.h>
#include <tessera/dealii/exception.h>
#include <tessera/dealii/expression.h>
#include <tessera/space/generator.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace
{
  using namespace tessera;

  struct Declared : Parameters
  {
    explicit Declared(const std::string &text)
    {
      declare("Section/Entry", text, dealii::Patterns::Anything(), "");
      ExactSolution::declare(*this);
    }
  };

  std::string
  error_of(const std::string &text, const std::vector<int> &legal = {1})
  {
    const Declared parameters(text);
    try
      {
        Expression(parameters, "Section/Entry", legal);
      }
    catch (const ParameterError &error)
      {
        return error.what();
      }
    return "";
  }

  Space
  space_of_a_distorted_mesh()
  {
    GeneratedMesh mesh;
    mesh.n_x    = 5;
    mesh.n_y    = 3;
    mesh.degree = 2;
    return build_space(generate(mesh));
  }


  TEST(Expression, NamesSectionAndEntryWhereItDoesNotParse)
  {
    for (const std::string text : {"sin(", "x + z", "2 *", "foo(x)"})
      {
        const std::string error = error_of(text);
        EXPECT_EQ(error.find("The expression '" + text +
                             "' of 'Section/Entry' does not parse: "),
                  0u)
          << error;
        EXPECT_EQ(error.find('\n'), std::string::npos);
        EXPECT_EQ(error.find("Stacktrace"), std::string::npos);
      }
    EXPECT_NE(
      error_of("1; 2", {1, 3}).find("has 2 components, legal are 1 or 3"),
      std::string::npos);
    EXPECT_EQ(error_of("1; x; y", {1, 3}), "");
    EXPECT_NE(error_of("").find("has 0 components"), std::string::npos);
  }


  TEST(Expression, UniformUnlessItVaries)
  {
    const Space space = space_of_a_distorted_mesh();
    for (const std::string text : {"exp(1) + pi", "2 * e", "max(1, 2)"})
      {
        const Declared parameters(text);
        EXPECT_EQ(
          make_coefficient(Expression(parameters, "Section/Entry"), space).kind,
          Coefficient::Kind::uniform)
          << text;
      }
    const Declared parameters("1 + x; 0; y * y");
    const Expression expression(parameters, "Section/Entry", {3});
    const Coefficient c = make_coefficient(expression, space);
    const auto points   = quadrature_points(space);
    ASSERT_EQ(c.kind, Coefficient::Kind::per_quadrature_point);
    ASSERT_EQ(c.values.size(), points.size() / 2 * 3);
    for (std::size_t i = 0; i < points.size() / 2; ++i)
      {
        EXPECT_DOUBLE_EQ(c.values[3 * i], 1. + points[2 * i]);
        EXPECT_EQ(c.values[3 * i + 1], 0.);
        EXPECT_DOUBLE_EQ(c.values[3 * i + 2],
                         points[2 * i + 1] * points[2 * i + 1]);
      }
  }


  TEST(Expression, RefusesWhatIsNotFiniteOrNotPositiveDefinite)
  {
    const Space space = space_of_a_distorted_mesh();
    const auto error  = [&space](const std::string &text) -> std::string {
      const Declared parameters(text);
      const Expression kappa(parameters, "Section/Entry", {1, 3});
      try
        {
          make_tensor(kappa, space);
        }
      catch (const ParameterError &failure)
        {
          return failure.what();
        }
      return "";
    };
    const Declared parameters("1 + x");
    const Coefficient scalar =
      make_tensor(Expression(parameters, "Section/Entry"), space);
    const auto points = quadrature_points(space);
    for (std::size_t i = 0; i < points.size() / 2; ++i)
      {
        EXPECT_DOUBLE_EQ(scalar.values[3 * i], 1. + points[2 * i]);
        EXPECT_EQ(scalar.values[3 * i + 1], 0.);
        EXPECT_EQ(scalar.values[3 * i + 2], scalar.values[3 * i]);
      }
    EXPECT_EQ(error("2; 1; 1"), "");
    EXPECT_NE(error("sqrt(x - 0.5)").find("is not a finite number at x = "),
              std::string::npos);
    EXPECT_NE(error("-1").find("value -1 of 'Section/Entry' is not positive"),
              std::string::npos);
    EXPECT_NE(error("1; 1; 1").find("not positive definite"),
              std::string::npos);
    EXPECT_NE(error("x - 0.5").find("not positive definite at x = "),
              std::string::npos);
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


  TEST(ExactSolution, DifferencesReachTheGradient)
  {
    Declared parameters("0");
    EXPECT_EQ(ExactSolution::read(parameters), nullptr);
    parameters.set("Exact solution/Function expression", "sin(3 * x) * exp(y)");
    const auto differences = ExactSolution::read(parameters);
    parameters.set("Exact solution/Gradient expression",
                   "3 * cos(3 * x) * exp(y); sin(3 * x) * exp(y)");
    const auto formula = ExactSolution::read(parameters);
    // Rounding of four values of at most exp(1), divided by 12 h = 12e-4.
    const double tolerance =
      20. * std::exp(1.) / 1e-4 * std::numeric_limits<double>::epsilon();
    for (const double x : {0.1, 0.7})
      for (const double y : {0.2, 0.9})
        {
          const dealii::Point<2> p(x, y);
          EXPECT_EQ(differences->value(p), std::sin(3 * x) * std::exp(y));
          EXPECT_NEAR((differences->gradient(p) - formula->gradient(p)).norm(),
                      0., tolerance);
        }
    EXPECT_NEAR(convergence_rate(8., 1., 16, 64), 3., 1e-14);
  }
} // namespace

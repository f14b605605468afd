#include "test.h"

#include <tessera/space/quadrature.h>

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace tessera;

namespace
{
  constexpr double eps     = std::numeric_limits<double>::epsilon();
  constexpr int max_points = 10;

  /// Returns the sum of w_i x_i^k. Terms are positive, and points and weights
  /// rounded: the relative error is (k + 2) eps.
  double
  integral(const std::vector<double> &points,
           const std::vector<double> &weights, const int k)
  {
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      sum += weights[i] * std::pow(points[i], k);
    return sum;
  }

  void
  expect_symmetric(const std::vector<double> &points)
  {
    for (std::size_t i = 0; i < points.size(); ++i)
      {
        if (2 * i < points.size())
          {
            EXPECT_EQ(points[points.size() - 1 - i], 1 - points[i]) << i;
          }
        if (i > 0)
          {
            EXPECT_LT(points[i - 1], points[i]);
          }
      }
  }

  /// Returns weights of the interpolatory rule on given points from its
  /// exactness for Lagrange polynomials, which a Gauss rule integrates.
  std::vector<double>
  interpolatory_weights(const std::vector<double> &nodes)
  {
    const std::vector<double> points  = gauss_points(max_points);
    const std::vector<double> weights = gauss_weights(max_points);
    std::vector<double> result(nodes.size(), 0.);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (int q = 0; q < max_points; ++q)
        {
          double value = weights[q];
          for (std::size_t j = 0; j < nodes.size(); ++j)
            if (j != i)
              value *= (points[q] - nodes[j]) / (nodes[i] - nodes[j]);
          result[i] += value;
        }
    return result;
  }
} // namespace

TEST(Quadrature, GaussIsExactToDegree2nMinus1AndNoFurther)
{
  for (int n = 1; n <= max_points; ++n)
    {
      const std::vector<double> points  = gauss_points(n);
      const std::vector<double> weights = gauss_weights(n);
      ASSERT_EQ(points.size(), std::size_t(n));
      for (int k = 0; k < 2 * n; ++k)
        EXPECT_NEAR(integral(points, weights, k) * (k + 1), 1, (k + 2) * eps)
          << "n = " << n << ", k = " << k;
      EXPECT_GT(std::abs(integral(points, weights, 2 * n) * (2 * n + 1) - 1),
                100 * n * eps);
    }
}

TEST(Quadrature, LobattoIsExactToDegree2nMinus3)
{
  for (int n = 2; n <= max_points; ++n)
    {
      const std::vector<double> points  = gauss_lobatto_points(n);
      const std::vector<double> weights = interpolatory_weights(points);
      EXPECT_EQ(points.front(), 0);
      EXPECT_EQ(points.back(), 1);
      // A weight is a product of 2n factors, whose errors are eps relative to
      // the distances of the points.
      double smallest = 1;
      for (int i = 1; i < n; ++i)
        smallest = std::min(smallest, points[i] - points[i - 1]);
      for (int k = 0; k <= 2 * n - 3; ++k)
        EXPECT_NEAR(integral(points, weights, k) * (k + 1), 1,
                    (k + 1) * n * 2 * eps / smallest)
          << "n = " << n << ", k = " << k;
    }
}

TEST(Quadrature, PointsAreSortedAndExactlySymmetric)
{
  for (int n = 1; n <= max_points; ++n)
    {
      expect_symmetric(gauss_points(n));
      const std::vector<double> weights = gauss_weights(n);
      for (int i = 0; i < n; ++i)
        EXPECT_EQ(weights[i], weights[n - 1 - i]);
      if (n > 1)
        expect_symmetric(gauss_lobatto_points(n));
    }
}

TEST(Quadrature, KnownValues)
{
  EXPECT_DOUBLE_EQ(gauss_points(2)[0], 0.5 - std::sqrt(3.) / 6);
  EXPECT_DOUBLE_EQ(gauss_points(3)[2], 0.5 + std::sqrt(15.) / 10);
  EXPECT_DOUBLE_EQ(gauss_lobatto_points(4)[1], 0.5 - std::sqrt(5.) / 10);
  EXPECT_DOUBLE_EQ(gauss_lobatto_points(5)[1], 0.5 - std::sqrt(21.) / 14);
}

/// On the unit simplex, int x^a y^b z^c = a! b! c! / (dim + a + b + c)!. The
/// rule is exact to `degree` and not for all polynomials of the next one.
void
check_exactness(const QuadratureRule &rule, const int dim, const int degree)
{
  const auto factorial = [](const int n) { return std::tgamma(n + 1.); };
  ASSERT_EQ(rule.points.size(), dim * rule.weights.size());
  double worst_beyond = 0;
  for (int a = 0; a <= degree + 1; ++a)
    for (int b = 0; b <= (dim > 1 ? degree + 1 - a : 0); ++b)
      for (int c = 0; c <= (dim > 2 ? degree + 1 - a - b : 0); ++c)
        {
          double sum = 0;
          for (std::size_t q = 0; q < rule.weights.size(); ++q)
            {
              const double *x = &rule.points[dim * q];
              sum += rule.weights[q] * std::pow(x[0], a) *
                     (dim > 1 ? std::pow(x[1], b) : 1) *
                     (dim > 2 ? std::pow(x[2], c) : 1);
            }
          const double exact = factorial(a) * factorial(b) * factorial(c) /
                               factorial(dim + a + b + c);
          if (a + b + c <= degree)
            EXPECT_NEAR(sum, exact, (degree + 3) * eps) << a << b << c;
          else
            worst_beyond = std::max(worst_beyond, std::abs(sum - exact));
        }
  EXPECT_GT(worst_beyond, 1e-6) << "dim = " << dim << ", degree " << degree;
}

TEST(Quadrature, SimplexRulesAreExactToDegree2nMinus1AndNoFurther)
{
  for (int dim = 1; dim <= 3; ++dim)
    for (int n = 2; n <= 3; ++n)
      check_exactness(simplex_rule(dim, n), dim, 2 * n - 1);
}

TEST(Quadrature, RulesForGradientsAreExactForTheirProducts)
{
  for (const CellType type : {CellType::triangle, CellType::tetrahedron})
    for (const int p : {1, 2})
      {
        const QuadratureRule rule = gradient_rule(type, p);
        const int dim             = dimension(type);
        // One point is exact for degree 1, too.
        check_exactness(rule, dim, p);
        EXPECT_EQ(rule.weights.size(), p == 1 ? 1u : dim + 1u);
        for (const double weight : rule.weights)
          EXPECT_EQ(weight, rule.weights[0]);
        for (const double x : rule.points)
          EXPECT_GT(x, 0);
      }
  EXPECT_THROW(gradient_rule(CellType::triangle, 3), std::out_of_range);
  EXPECT_THROW(gradient_rule(CellType::line, 1), std::out_of_range);
  EXPECT_THROW(gradient_rule(CellType::quadrilateral, 1), std::out_of_range);
}

TEST(Quadrature, CellRulesHaveThePointsOfTheType)
{
  for (const CellType type :
       {CellType::line, CellType::quadrilateral, CellType::hexahedron,
        CellType::triangle, CellType::tetrahedron})
    for (int p = 1; p <= max_degree(type); ++p)
      {
        const QuadratureRule rule = cell_rule(type, p);
        EXPECT_EQ(int(rule.weights.size()), n_points(type, p));
        EXPECT_EQ(int(rule.points.size()), n_points(type, p) * dimension(type));
        double volume = 0;
        for (const double weight : rule.weights)
          volume += weight;
        EXPECT_NEAR(volume,
                    !is_simplex(type)      ? 1.
                    : dimension(type) == 2 ? 1. / 2
                                           : 1. / 6,
                    rule.weights.size() * eps);
      }
  const QuadratureRule rule   = cell_rule(CellType::hexahedron, 2);
  const std::vector<double> x = gauss_points(3), w = gauss_weights(3);
  EXPECT_EQ(rule.points[3 * (2 + 3 * 0 + 9 * 1)], x[2]);
  EXPECT_EQ(rule.points[3 * (2 + 3 * 0 + 9 * 1) + 1], x[0]);
  EXPECT_EQ(rule.points[3 * (2 + 3 * 0 + 9 * 1) + 2], x[1]);
  EXPECT_EQ(rule.weights[2 + 9], w[2] * w[0] * w[1]);
}

TEST(Quadrature, CountsOutOfRangeAreRefused)
{
  EXPECT_THROW(simplex_rule(2, 1), std::out_of_range);
  EXPECT_THROW(simplex_rule(3, 4), std::out_of_range);
  EXPECT_THROW(simplex_rule(4, 2), std::out_of_range);
  EXPECT_THROW(gauss_points(0), std::out_of_range);
  EXPECT_THROW(gauss_weights(11), std::out_of_range);
  EXPECT_THROW(gauss_lobatto_points(1), std::out_of_range);
}

#include <deal.II/base/quadrature_lib.h>

#include <tessera/space/quadrature.h>

#include "test.h"

using namespace tessera;

namespace
{
  /// Both rules are written to full precision, ours partly in closed form.
  template <int dim>
  void
  compare(const QuadratureRule &rule, const dealii::Quadrature<dim> &expected)
  {
    ASSERT_EQ(rule.weights.size(), expected.size());
    for (unsigned int q = 0; q < expected.size(); ++q)
      {
        EXPECT_NEAR(rule.weights[q], expected.weight(q), 1e-16);
        for (unsigned int d = 0; d < dim; ++d)
          EXPECT_NEAR(rule.points[dim * q + d], expected.point(q)[d], 5e-16);
      }
  }
} // namespace

TEST(Quadrature, SimplexRulesAreThoseOfDealii)
{
  for (int n = 2; n <= 3; ++n)
    {
      compare<1>(simplex_rule(1, n), dealii::QGaussSimplex<1>(n));
      compare<2>(simplex_rule(2, n), dealii::QGaussSimplex<2>(n));
      compare<3>(simplex_rule(3, n), dealii::QGaussSimplex<3>(n));
    }
}

TEST(Quadrature, TensorRulesAreThoseOfDealii)
{
  for (int p = 1; p <= 4; ++p)
    {
      compare<1>(cell_rule(CellType::line, p), dealii::QGauss<1>(p + 1));
      compare<2>(cell_rule(CellType::quadrilateral, p),
                 dealii::QGauss<2>(p + 1));
      compare<3>(cell_rule(CellType::hexahedron, p), dealii::QGauss<3>(p + 1));
    }
}

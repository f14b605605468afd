#include "reference.h"
#include "test.h"

using namespace tessera;

// Tests the tables on which all oracles of the tests rely.
namespace
{
  template <class F>
  void
  for_each_element(const F &f)
  {
    for (const CellType type :
         {CellType::line, CellType::quadrilateral, CellType::hexahedron,
          CellType::triangle, CellType::tetrahedron})
      for (int p = 1; p <= max_degree(type); ++p)
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(p));
          f(test::ReferenceCell(type, p));
        }
  }
} // namespace

TEST(ReferenceCells, FunctionsAreOneAtTheirNodeAndZeroAtOthers)
{
  for_each_element([](const test::ReferenceCell &cell) {
    ASSERT_EQ(int(cell.nodes.size()), cell.n);
    ASSERT_EQ(int(cell.points.size()), n_points(cell.type, cell.degree));
    for (int i = 0; i < cell.n; ++i)
      for (int j = 0; j < cell.n; ++j)
        EXPECT_NEAR(cell.value(i, cell.nodes[j]), i == j, 1e-14);
  });
}

TEST(ReferenceCells, GradientsAreThoseOfTheFunctions)
{
  const double h = 1e-5;
  for_each_element([h](const test::ReferenceCell &cell) {
    for (const test::Position &point : cell.points)
      for (int i = 0; i < cell.n; ++i)
        for (int d = 0; d < cell.dim; ++d)
          {
            test::Position left = point, right = point;
            left[d] -= h;
            right[d] += h;
            // The third derivative of a quartic Lagrange function is below
            // 1000, and rounding is below eps / h.
            EXPECT_NEAR((cell.value(i, right) - cell.value(i, left)) / (2 * h),
                        cell.gradient(i, point)[d], 1000 * h * h);
          }
  });
}

TEST(ReferenceCells, PointsAndWeightsAreThoseOfTheRule)
{
  for_each_element([](const test::ReferenceCell &cell) {
    const QuadratureRule rule = cell_rule(cell.type, cell.degree);
    ASSERT_EQ(rule.weights.size(), cell.weights.size());
    for (std::size_t q = 0; q < rule.weights.size(); ++q)
      {
        EXPECT_NEAR(rule.weights[q], cell.weights[q], 2e-15);
        for (int d = 0; d < cell.dim; ++d)
          EXPECT_NEAR(rule.points[cell.dim * q + d], cell.points[q][d], 2e-15);
      }
  });
}

#include "test.h"

#include <tessera/space/polynomial_line.h>
#include <tessera/space/reference_element.h>

using namespace tessera;

// Sums along a line, and their transposes, must be the same by the tables.
namespace
{
  template <int n>
  void
  check()
  {
    using E          = Element<CellType::quadrilateral, n - 1>;
    using Line       = PolynomialLine<n, double>;
    const auto table = reference_element<E, double>();
    for (int unit = 0; unit < n; ++unit)
      {
        double a[n] = {}, at[n], slope[n];
        a[unit]     = 1;
        Line::to_polynomial(a);
        Line::values(a, at);
        Line::slopes(a, slope);
        for (int q = 0; q < n; ++q)
          {
            EXPECT_NEAR(at[q], table.values[unit][q], 1e-14);
            EXPECT_NEAR(slope[q], table.gradients[unit][q], 1e-13);
            if constexpr (n > 3)
              {
                double f[n], df[n], value = 0, derivative = 0;
                Line::functions(table.points[q] - 0.5, f, df);
                for (int k = 0; k < n; ++k)
                  {
                    value += f[k] * a[k];
                    derivative += df[k] * a[k];
                    if (k < Line::n_constant)
                      EXPECT_EQ(f[k], 1.);
                  }
                EXPECT_NEAR(value, table.values[unit][q], 1e-14);
                EXPECT_NEAR(derivative, table.gradients[unit][q], 1e-13);
              }
          }
        double point[n] = {}, by_values[n], by_slopes[n];
        point[unit]     = 1;
        Line::test_values(point, by_values);
        Line::test_slopes(point, by_slopes);
        Line::to_nodes(by_values);
        Line::to_nodes(by_slopes);
        for (int i = 0; i < n; ++i)
          {
            EXPECT_NEAR(by_values[i], table.values[i][unit], 1e-14);
            EXPECT_NEAR(by_slopes[i], table.gradients[i][unit], 1e-13);
          }
      }
  }
} // namespace

TEST(PolynomialLine, SumsAreThoseByTables)
{
  check<3>();
  check<4>();
  check<5>();
}

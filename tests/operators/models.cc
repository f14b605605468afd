#include <tessera/operators/models.h>

#include "test.h"

#include <cmath>

using namespace tessera;

namespace
{
  /// Expects a rate in billions per second at 4.3 TB/s. Expected rates have two
  /// or three digits.
  void
  expect_rate(const double bytes, const double expected)
  {
    const double digit = expected < 1 ? 0.005 : expected < 40 ? 0.05 : 0.5;
    EXPECT_NEAR(4.3e3 / bytes, expected, digit * 1.001);
  }
} // namespace

/// The ideal rates for the H200 in our table, computed by hand from the
/// formulas.
TEST(Models, ApplicationInDouble)
{
  const double csr[]       = {33.6, 20.3, 13.4, 9.5};
  const double full[]      = {24.4, 21.2, 16.1, 12.3};
  const double symmetric[] = {33.6, 32.8, 26.9, 21.4};
  const double free[]      = {67, 88, 101, 107};
  for (int p = 1; p <= 4; ++p)
    {
      expect_rate(models::csr(p, 8), csr[p - 1]);
      expect_rate(models::local_matrices(p, 8), full[p - 1]);
      expect_rate(models::local_matrices_symmetric(p, 8), symmetric[p - 1]);
      expect_rate(models::matrix_free(p, 8), free[p - 1]);
    }
}

TEST(Models, ByHand)
{
  // p = 2: a row has 16 entries, and n = 9.
  EXPECT_DOUBLE_EQ(models::csr(2, 8), 12 * 16 + 20);
  EXPECT_DOUBLE_EQ(models::csr(2, 4), 8 * 16 + 12);
  EXPECT_DOUBLE_EQ(models::local_matrices(2, 8), 162 + 9 + 32);
  EXPECT_DOUBLE_EQ(models::local_matrices_symmetric(2, 4), 45 + 9 + 16);
  EXPECT_DOUBLE_EQ(models::matrix_free(2, 8), 32 + 9 + 4 + 4);
  EXPECT_DOUBLE_EQ(models::matrix_free(1, 4), 16 + 16 + 8);
  EXPECT_DOUBLE_EQ(models::matrix_free_flops(1), 288);
}

TEST(Models, ByName)
{
  EXPECT_EQ(models::application("csr", 3, 8), models::csr(3, 8));
  EXPECT_EQ(models::application("local_matrices", 3, 4),
            models::local_matrices(3, 4));
  EXPECT_EQ(models::application("local_matrices_symmetric", 3, 4),
            models::local_matrices_symmetric(3, 4));
  EXPECT_EQ(models::application("matrix_free", 3, 4),
            models::matrix_free(3, 4));
  EXPECT_EQ(models::application("ell", 3, 4), models::csr(3, 4));
  EXPECT_TRUE(std::isnan(models::application("diagonals", 3, 4)));
}

TEST(Models, Assembly)
{
  const double csr[]       = {35.8, 6.5, 2.0, 0.80};
  const double full[]      = {26.9, 6.3, 2.1, 0.85};
  const double symmetric[] = {38.4, 11.0, 3.8, 1.6};
  for (int p = 1; p <= 4; ++p)
    {
      expect_rate(models::assembly("csr", p, 8), csr[p - 1]);
      expect_rate(models::assembly("local_matrices", p, 8), full[p - 1]);
      expect_rate(models::assembly("local_matrices_symmetric", p, 8),
                  symmetric[p - 1]);
    }
  EXPECT_EQ(models::assembly("ell", 2, 8), models::assembly("csr", 2, 8));
  EXPECT_TRUE(std::isnan(models::assembly("matrix_free", 1, 8)));
}

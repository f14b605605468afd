#include "cell_models/step_error.h"

#include <cmath>
#include <stdexcept>

#include "test.h"

using namespace tessera;

namespace
{
  Vector<double>
  vector_of(const Backend backend, std::vector<double> values)
  {
    const int n = static_cast<int>(values.size());
    Vector<double> vector(backend, n, 1);
    values.push_back(1e6); // in the tail, which does not count
    vector.copy_from(values);
    return vector;
  }
} // namespace

/// Adds the sums of another part, whose differences are `others`.
struct OtherPart : Communicator
{
  explicit OtherPart(const std::vector<double> &others)
  {
    for (const double d : others)
      {
        sums[0] += d * d;
        sums[1] += d * d * d * d;
      }
  }

  void
  sum(double *values, const int n, Stream) const override
  {
    for (int i = 0; i < n; ++i)
      values[i] += sums[i];
  }

  double sums[2] = {0, 0};
};

TEST(StepErrorTest, AllPartsCount)
{
  const OtherPart other({2., -3.});
  StepError<double> error(Backend::host, 3, other);
  EXPECT_NEAR(error(vector_of(Backend::host, {1., 5., 0.}),
                    vector_of(Backend::host, {0., 1., 0.})),
              std::sqrt((1 + 256 + 16 + 81.) / (1 + 16 + 4 + 9)), 1e-14);
}

TEST(StepErrorTest, LargeDifferencesCount)
{
  for (const Backend backend : test::backends())
    {
      constexpr int n = 5000;
      StepError<double> error(backend, n);
      std::vector<double> x(n, -80.), y = x;
      EXPECT_EQ(error(vector_of(backend, x), vector_of(backend, y)), 0);
      for (int i = 100; i < 140; ++i)
        y[i] += i % 2 == 0 ? 3 : -3;
      EXPECT_NEAR(error(vector_of(backend, x), vector_of(backend, y)), 3,
                  1e-12);
      y[4999] += 1;
      EXPECT_NEAR(error(vector_of(backend, x), vector_of(backend, y)),
                  std::sqrt((40 * 81. + 1) / (40 * 9. + 1)), 1e-12);
      y[17] = std::nan("");
      EXPECT_TRUE(
        std::isnan(error(vector_of(backend, x), vector_of(backend, y))));
      EXPECT_THROW(error(vector_of(backend, {1.}), vector_of(backend, y)),
                   std::length_error);
    }
}

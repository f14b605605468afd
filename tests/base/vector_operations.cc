#include <tessera/base/vector_operations.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  constexpr int n_tail = 5;

  /// The last size gives some threads of a full grid more than one entry.
  const std::vector<int> sizes = {1, 31, 33, 4096, 4099, 135168 + 77};

  template <class Number>
  Vector<Number>
  random_vector(const Backend backend, const int n, const unsigned int seed)
  {
    Vector<Number> vector(backend, n, n_tail);
    vector.copy_from(test::random_values<Number>(n + n_tail, seed));
    return vector;
  }

  /// The sum of a_i b_i and a bound of its rounding: every product and every
  /// addition rounds once, in double.
  struct Sum
  {
    double value = 0, rounding = 0;
  };

  template <class Number>
  Sum
  dot(const std::vector<Number> &a, const std::vector<Number> &b, const int n)
  {
    Sum sum;
    double scale = 0;
    for (int i = 0; i < n; ++i)
      {
        sum.value += double(a[i]) * double(b[i]);
        scale += std::abs(double(a[i]) * double(b[i]));
      }
    // Entries that one thread adds up, and its partial sums.
    sum.rounding = 8192 * std::numeric_limits<double>::epsilon() * scale;
    return sum;
  }

  /// Expects y = a x + b y on owned entries and an unchanged tail.
  template <class Number>
  void
  expect_combination(const std::vector<Number> &y, const Number a,
                     const std::vector<Number> &x, const Number b,
                     const std::vector<Number> &before)
  {
    const std::size_t n_owned = y.size() - n_tail;
    for (std::size_t i = 0; i < n_owned; ++i)
      ASSERT_NEAR(y[i], double(a) * x[i] + double(b) * before[i],
                  4 * std::numeric_limits<Number>::epsilon() *
                    (std::abs(a * x[i]) + std::abs(b * before[i])))
        << i;
    for (std::size_t i = n_owned; i < y.size(); ++i)
      ASSERT_EQ(y[i], before[i]) << "tail";
  }

  template <class Number>
  void
  check_sums(const Backend backend, const int n)
  {
    const VectorOperations<Number> operations(backend, n);
    const auto x = random_vector<Number>(backend, n, 1),
               z = random_vector<Number>(backend, n, 2);
    auto y       = random_vector<Number>(backend, n, 3);

    const Sum x_z = dot(x.to_vector(), z.to_vector(), n);
    EXPECT_NEAR(operations.dot(x, z), x_z.value, x_z.rounding);
    EXPECT_EQ(operations.dot(x, z), operations.dot(x, z));
    EXPECT_EQ(operations.n_of_all_parts(), n);
    Array<double> stored(backend, 1);
    operations.store_dot(stored.data(), x, z);
    EXPECT_EQ(stored.to_vector()[0], operations.dot(x, z));

    auto before       = y.to_vector();
    const Number a    = Number(-0.75);
    const double y_z  = operations.add_and_dot(a, x, y, z);
    const auto with_z = y.to_vector();
    expect_combination(with_z, a, x.to_vector(), Number(1), before);
    const Sum sum_z = dot(with_z, z.to_vector(), n);
    EXPECT_NEAR(y_z, sum_z.value, sum_z.rounding);

    const double y_y  = operations.add_and_dot(a, x, y, y);
    const auto with_y = y.to_vector();
    expect_combination(with_y, a, x.to_vector(), Number(1), with_z);
    const Sum sum_y = dot(with_y, with_y, n);
    EXPECT_NEAR(y_y, sum_y.value, sum_y.rounding);
  }

  template <class Number>
  void
  check_combinations(const Backend backend, const int n)
  {
    const VectorOperations<Number> operations(backend, n);
    const auto x   = random_vector<Number>(backend, n, 1);
    auto y         = random_vector<Number>(backend, n, 2);
    auto before    = y.to_vector();
    const Number a = Number(0.3), b = Number(-1.7);
    operations.combine(a, x, b, y);
    expect_combination(y.to_vector(), a, x.to_vector(), b, before);

    // x and y are the same vector.
    before = y.to_vector();
    operations.combine(a, y, Number(0), y);
    expect_combination(y.to_vector(), a, before, Number(0), before);

    // For b = 0, y must not be read.
    before.assign(before.size(), std::numeric_limits<Number>::quiet_NaN());
    std::fill(before.end() - n_tail, before.end(), Number(1));
    y.copy_from(before);
    operations.combine(a, x, Number(0), y);
    std::fill(before.begin(), before.end() - n_tail, Number(0));
    expect_combination(y.to_vector(), a, x.to_vector(), Number(0), before);
  }

  template <class Number>
  void
  check_zeros(const Backend backend, const int n)
  {
    const VectorOperations<Number> operations(backend, n);
    Vector<Number> x(backend, n, n_tail);
    std::vector<Number> values(n + n_tail, Number(0));
    std::fill(values.end() - n_tail, values.end(), Number(1));
    x.copy_from(values);
    EXPECT_TRUE(operations.all_zero(x));
    // The square of this value is 0.
    for (const Number value : {std::numeric_limits<Number>::min(),
                               std::numeric_limits<Number>::quiet_NaN()})
      {
        values[n - 1] = value;
        x.copy_from(values);
        EXPECT_FALSE(operations.all_zero(x)) << value;
      }
  }

  /// Squares of the result neither overflow nor underflow, in units of any
  /// size.
  template <class Number>
  void
  check_normalize(const Backend backend, const int n)
  {
    const VectorOperations<Number> operations(backend, n);
    auto x             = random_vector<Number>(backend, n, 1);
    const auto values  = x.to_vector();
    using Limits       = std::numeric_limits<Number>;
    const Number least = 1000 * Limits::min(), most = Limits::max() / (2 * n);
    for (const Number unit : {Number(1), least, most})
      {
        auto scaled = values;
        double mean = 0;
        for (int i = 0; i < n; ++i)
          {
            scaled[i] *= unit;
            mean += std::abs(double(scaled[i]));
          }
        mean /= n;
        x.copy_from(scaled);
        const double size = operations.normalize(x);
        EXPECT_NEAR(size, mean,
                    n * mean * std::numeric_limits<double>::epsilon());
        const auto left = x.to_vector();
        for (int i = 0; i < n; ++i)
          ASSERT_NEAR(left[i], scaled[i] / mean,
                      2 * n * Limits::epsilon() * std::abs(scaled[i] / mean))
            << "entry " << i << " times " << unit;
        EXPECT_TRUE(
          std::equal(scaled.end() - n_tail, scaled.end(), left.end() - n_tail));
      }

    Vector<Number> zero(backend, n, n_tail);
    EXPECT_EQ(operations.normalize(zero), 1);
    EXPECT_TRUE(operations.all_zero(zero));
    auto broken   = values;
    broken[n - 1] = Limits::infinity();
    x.copy_from(broken);
    EXPECT_EQ(operations.normalize(x), std::numeric_limits<double>::infinity());
    EXPECT_EQ(x.to_vector(), broken);
  }

  template <class F>
  void
  for_each_size(const F &f)
  {
    for (const Backend backend : test::backends())
      for (const int n : sizes)
        {
          SCOPED_TRACE(to_string(backend) + ", " + std::to_string(n) +
                       " entries");
          f(backend, n);
        }
  }
} // namespace

TEST(VectorOperations, SumsUpOwnedEntriesAlone)
{
  for_each_size([](const Backend backend, const int n) {
    check_sums<double>(backend, n);
    check_sums<float>(backend, n);
  });
}

TEST(VectorOperations, CombinesOwnedEntriesAlone)
{
  for_each_size([](const Backend backend, const int n) {
    check_combinations<double>(backend, n);
    check_combinations<float>(backend, n);
  });
}

TEST(VectorOperations, KnowsZeros)
{
  for_each_size([](const Backend backend, const int n) {
    check_zeros<double>(backend, n);
    check_zeros<float>(backend, n);
  });
}

TEST(VectorOperations, NormalizesOwnedEntriesAlone)
{
  for_each_size([](const Backend backend, const int n) {
    check_normalize<double>(backend, n);
    check_normalize<float>(backend, n);
  });
}

TEST(VectorOperations, ClearsTailsAlone)
{
  for_each_size([](const Backend backend, const int n) {
    auto x      = random_vector<float>(backend, n, 1);
    auto values = x.to_vector();
    zero_tail(x);
    std::fill(values.end() - n_tail, values.end(), 0.f);
    EXPECT_EQ(x.to_vector(), values);
  });
}

TEST(VectorOperations, RefusesOtherSizes)
{
  for (const Backend backend : test::backends())
    {
      const VectorOperations<double> operations(backend, 33);
      const auto x = random_vector<double>(backend, 31, 1);
      auto y       = random_vector<double>(backend, 33, 2),
           z       = random_vector<double>(backend, 31, 2);
      EXPECT_THROW(operations.dot(x, y), std::length_error);
      EXPECT_THROW(operations.dot(y, x), std::length_error);
      EXPECT_THROW(operations.combine(1., y, 1., z), std::length_error);
      EXPECT_THROW(operations.add_and_dot(1., y, z, y), std::length_error);
      EXPECT_THROW(operations.all_zero(x), std::length_error);
    }
}

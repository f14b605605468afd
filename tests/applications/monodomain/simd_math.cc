#include "cell_models/simd_math.h"

#include <cmath>
#include <limits>

#include "test.h"

using namespace tessera;

// Tests each lane against the functions of the standard library.
namespace
{
  template <class T>
  class SimdMathTest : public testing::Test
  {};

  using Types = testing::Types<Simd<float, 4>, Simd<float, 16>, Simd<double, 2>,
                               Simd<double, 4>, Simd<double, 8>>;
  TYPED_TEST_SUITE(SimdMathTest, Types);

  template <class T>
  struct NumberOf;

  template <class Number, int width>
  struct NumberOf<Simd<Number, width>>
  {
    using type = Number;
  };

  /// Expects f(x) for numbers x from `first` to `last`, within `ulps` units of
  /// the last place of the larger one of |f(x)| and `floor`.
  template <class T, class F, class G>
  void
  expect_same(const double first, const double last, const F &f, const G &exact,
              const double ulps, const double floor)
  {
    using Number     = typename NumberOf<T>::type;
    const int n      = 20000;
    const double eps = std::numeric_limits<Number>::epsilon();
    for (int i = 0; i < n; ++i)
      {
        T x;
        for (int lane = 0; lane < T::lanes; ++lane)
          x.set(lane, Number(first + (last - first) *
                                       (i + double(lane) / T::lanes) / n));
        const T y = f(x);
        for (int lane = 0; lane < T::lanes; ++lane)
          {
            const double value = exact(double(x[lane]));
            ASSERT_NEAR(y[lane], value,
                        ulps * eps * std::max(std::abs(value), floor))
              << double(x[lane]);
          }
      }
  }
} // namespace

TYPED_TEST(SimdMathTest, Exponential)
{
  const auto e     = [](const TypeParam x) { return exp(x); };
  const auto exact = [](const double x) { return std::exp(x); };
  expect_same<TypeParam>(-80, 80, e, exact, 2, 0);
  expect_same<TypeParam>(-1, 1, e, exact, 2, 0);
  if (sizeof(typename NumberOf<TypeParam>::type) == 8)
    expect_same<TypeParam>(-700, 700, e, exact, 2, 0);
  // Beyond the range the ends of it; what is not a number stays so.
  using Number = typename NumberOf<TypeParam>::type;
  EXPECT_TRUE(std::isfinite(exp(TypeParam(Number(1e4)))[0]));
  EXPECT_GT(exp(TypeParam(Number(1e4)))[0], Number(1e38));
  EXPECT_LT(exp(TypeParam(Number(-1e4)))[0], Number(1e-36));
  EXPECT_TRUE(
    std::isnan(exp(TypeParam(std::numeric_limits<Number>::quiet_NaN()))[0]));
}

TYPED_TEST(SimdMathTest, Logarithm)
{
  const auto l     = [](const TypeParam x) { return log(x); };
  const auto exact = [](const double x) { return std::log(x); };
  expect_same<TypeParam>(1e-3, 3, l, exact, 3, 1);
  expect_same<TypeParam>(1, 1e6, l, exact, 3, 1);
  expect_same<TypeParam>(1e-30, 1e-20, l, exact, 3, 1);
}

TYPED_TEST(SimdMathTest, RootAndSelection)
{
  const auto root  = [](const TypeParam x) { return sqrt(x); };
  const auto exact = [](const double x) { return std::sqrt(x); };
  expect_same<TypeParam>(0, 10, root, exact, 1, 0);
  TypeParam x;
  for (int lane = 0; lane < TypeParam::lanes; ++lane)
    x.set(lane, lane);
  using Number      = typename NumberOf<TypeParam>::type;
  const TypeParam y = select_less(x, TypeParam(Number(1)), -x - Number(1), x);
  EXPECT_EQ(y[0], Number(-1));
  for (int lane = 1; lane < TypeParam::lanes; ++lane)
    EXPECT_EQ(y[lane], Number(lane));
}

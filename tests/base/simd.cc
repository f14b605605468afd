#include "test.h"

#include <tessera/base/simd.h>

#include <cmath>

using namespace tessera;

// Tests each lane, bit by bit, against the same operation on plain numbers.
namespace
{
  template <class T>
  class SimdTest : public testing::Test
  {};

  using Types =
    testing::Types<Simd<float, 2>, Simd<float, 4>, Simd<float, 8>,
                   Simd<float, 16>, Simd<double, 2>, Simd<double, 4>,
                   Simd<double, 8>, Simd<double, 16>>;
  TYPED_TEST_SUITE(SimdTest, Types);

  template <class T>
  struct NumberOf;

  template <class Number, int width>
  struct NumberOf<Simd<Number, width>>
  {
    using type = Number;
  };

  /// Returns lanes that all differ and are not 0.
  template <class T>
  T
  sample(const int seed)
  {
    using Number = typename NumberOf<T>::type;
    alignas(sizeof(T)) Number values[T::lanes];
    for (int lane = 0; lane < T::lanes; ++lane)
      values[lane] = Number(seed + 2) / Number(3 * lane + seed) - Number(7);
    return T::load(values);
  }
} // namespace

TYPED_TEST(SimdTest, OperatorsWorkLaneByLane)
{
  const TypeParam a = sample<TypeParam>(1), b = sample<TypeParam>(4);
  TypeParam plus = a, minus = a, times = a;
  plus += b;
  minus -= b;
  times *= b;
  for (int lane = 0; lane < TypeParam::lanes; ++lane)
    {
      const auto p = a[lane], q = b[lane];
      EXPECT_NE(p, q);
      EXPECT_EQ((a + b)[lane], p + q);
      EXPECT_EQ((a - b)[lane], p - q);
      EXPECT_EQ((a * b)[lane], p * q);
      EXPECT_EQ((a / b)[lane], p / q);
      EXPECT_EQ((-a)[lane], -p);
      EXPECT_EQ(plus[lane], p + q);
      EXPECT_EQ(minus[lane], p - q);
      EXPECT_EQ(times[lane], p * q);
    }
}

TYPED_TEST(SimdTest, NumbersStandForEveryLane)
{
  using Number      = typename NumberOf<TypeParam>::type;
  const Number c    = Number(1) / Number(3);
  const TypeParam a = sample<TypeParam>(2), all = c;
  for (int lane = 0; lane < TypeParam::lanes; ++lane)
    {
      EXPECT_EQ(all[lane], c);
      EXPECT_EQ((c * a)[lane], c * a[lane]);
      EXPECT_EQ((a - c)[lane], a[lane] - c);
    }
}

TYPED_TEST(SimdTest, LoadsStoresAndSetsItsLanesAlone)
{
  using Number        = typename NumberOf<TypeParam>::type;
  constexpr int lanes = TypeParam::lanes;
  EXPECT_EQ(sizeof(TypeParam), lanes * sizeof(Number));
  alignas(sizeof(TypeParam)) Number values[3 * lanes];
  for (int i = 0; i < 3 * lanes; ++i)
    values[i] = Number(i) + Number(0.5);
  TypeParam middle = TypeParam::load(values + lanes);
  for (int lane = 0; lane < lanes; ++lane)
    EXPECT_EQ(middle[lane], values[lanes + lane]);
  middle.set(lanes - 1, Number(-3));
  middle.store(values + lanes);
  for (int i = 0; i < 3 * lanes; ++i)
    EXPECT_EQ(values[i], i == 2 * lanes - 1 ? Number(-3) : Number(i + 0.5));
}

// A negative zero must stay negative.
TYPED_TEST(SimdTest, KeepsTheSignOfZero)
{
  using Number         = typename NumberOf<TypeParam>::type;
  const TypeParam zero = Number(0);
  EXPECT_TRUE(std::signbit((-zero)[0]));
  EXPECT_FALSE(std::signbit(zero[0]));
}

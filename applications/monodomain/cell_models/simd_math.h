#pragma once

#include <tessera/base/simd.h>

#include <cstdint>
#include <type_traits>

// Functions of Simd lanes: exp and log by polynomials, without branches and
// without calls, so that they are compiled for the instruction set at hand.
namespace tessera
{
  namespace internal
  {
    /// The layout of the bits of a number, for exp and log.
    template <class Number>
    struct Bits
    {
      static constexpr bool is_double = std::is_same<Number, double>::value;
      using Word = std::conditional_t<is_double, std::uint64_t, std::uint32_t>;
      static constexpr int fraction = is_double ? 52 : 23;
      static constexpr int bias     = is_double ? 1023 : 127;
      /// 1.5 * 2^fraction: added to a number, it rounds to an integer, which
      /// then stands in the lowest bits.
      static constexpr Number round =
        is_double ? Number(6755399441055744.) : Number(12582912.);
      /// 2^fraction, whose lowest bits hold an integer that is or-ed to them.
      static constexpr Number integer =
        is_double ? Number(4503599627370496.) : Number(8388608.);
      /// Bounds within which exp neither overflows nor is denormal.
      static constexpr Number largest  = is_double ? Number(709) : Number(88);
      static constexpr Number smallest = is_double ? Number(-708) : Number(-87);
      /// log 2 in two parts; the first one has trailing zeros.
      static constexpr Number log_2_high =
        is_double ? Number(6.93147180369123816490e-01) : Number(0.693359375);
      static constexpr Number log_2_low =
        is_double ? Number(1.90821492927058770002e-10) : Number(-2.12194440e-4);
      static constexpr int exp_terms = is_double ? 13 : 7;
      static constexpr int log_terms = is_double ? 11 : 5;
    };
  } // namespace internal

  /// Returns x where a < b, and y elsewhere, lane by lane.
  template <class Number, int width>
  TESSERA_HOST Simd<Number, width>
  select_less(const Simd<Number, width> a, const Simd<Number, width> b,
              const Simd<Number, width> x, const Simd<Number, width> y)
  {
    return Simd<Number, width>(a.v < b.v ? x.v : y.v, 0);
  }

  /// e^x within 2 units of the last place. Arguments beyond the range of normal
  /// numbers are taken to be at its end.
  template <class Number, int width>
  TESSERA_HOST Simd<Number, width>
  exp(Simd<Number, width> x)
  {
    using T = Simd<Number, width>;
    using B = internal::Bits<Number>;
    using Words [[gnu::vector_size(width * sizeof(Number))]] = typename B::Word;
    x               = select_less(x, T(B::smallest), T(B::smallest), x);
    x               = select_less(T(B::largest), x, T(B::largest), x);
    const T shifted = x * T(Number(1.44269504088896340736)) + T(B::round);
    const T k       = shifted - T(B::round);
    const T r       = (x - k * T(B::log_2_high)) - k * T(B::log_2_low);
    // The series of e^r for |r| <= log(2) / 2.
    T sum(Number(1));
    TESSERA_UNROLL
    for (int i = B::exp_terms; i > 0; --i)
      sum = T(Number(1)) + sum * r * T(Number(1) / Number(i));
    const Words power = (Words(shifted.v) + typename B::Word(B::bias))
                        << B::fraction;
    return sum * T(typename T::Vector(power), 0);
  }

  /// The natural logarithm of x > 0, normal, within 3 units of the last place
  /// of the larger one of 1 and its value.
  template <class Number, int width>
  TESSERA_HOST Simd<Number, width>
  log(const Simd<Number, width> x)
  {
    using T = Simd<Number, width>;
    using B = internal::Bits<Number>;
    using Words [[gnu::vector_size(width * sizeof(Number))]] = typename B::Word;
    const T integer(B::integer), one(Number(1));
    const Words words = Words(x.v);
    T exponent =
      T(typename T::Vector((words >> B::fraction) | Words(integer.v)), 0) -
      integer - T(Number(B::bias));
    const typename B::Word fraction_bits =
      (typename B::Word(1) << B::fraction) - 1;
    T fraction =
      T(typename T::Vector((words & fraction_bits) | Words(one.v)), 0);
    const T root(Number(1.41421356237309504880));
    const T halved = fraction * T(Number(0.5));
    exponent       = select_less(root, fraction, exponent + one, exponent);
    fraction       = select_less(root, fraction, halved, fraction);
    // log f = 2 (s + s^3 / 3 + s^5 / 5 + ...), |s| < 0.172
    const T s = (fraction - one) / (fraction + one), s2 = s * s;
    T sum(Number(0));
    TESSERA_UNROLL
    for (int i = B::log_terms; i >= 0; --i)
      sum = sum * s2 + T(Number(2) / Number(2 * i + 1));
    return exponent * T(B::log_2_high) + (s * sum + exponent * T(B::log_2_low));
  }

  template <class Number, int width>
  TESSERA_HOST Simd<Number, width>
  sqrt(Simd<Number, width> x)
  {
    for (int lane = 0; lane < width; ++lane)
      if constexpr (std::is_same<Number, double>::value)
        x.set(lane, __builtin_sqrt(x[lane]));
      else
        x.set(lane, __builtin_sqrtf(x[lane]));
    return x;
  }

  /// Returns x where a < b, and y elsewhere.
  TESSERA_HOST_DEVICE double
  select_less(const double a, const double b, const double x, const double y)
  {
    return a < b ? x : y;
  }

  TESSERA_HOST_DEVICE float
  select_less(const float a, const float b, const float x, const float y)
  {
    return a < b ? x : y;
  }
} // namespace tessera

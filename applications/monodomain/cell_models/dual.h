#pragma once

#include "simd_math.h"

#include <cmath>

namespace tessera
{
  /// A number with its derivatives by `n` variables, which arithmetic carries
  /// along (dual numbers): rates of a cell model that are computed with it come
  /// with their exact derivatives. T is a number or a SIMD type; operations
  /// with a T, whose derivatives are zero, cost less.
  template <class T, int n>
  struct Dual
  {
    T value;
    T derivative[n];

    Dual() = default;

    /// A constant.
    TESSERA_HOST_DEVICE
    Dual(const T a) : value(a)
    {
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        derivative[i] = T(0.);
    }

    /// The variable with that number.
    TESSERA_HOST_DEVICE
    Dual(const T a, const int variable) : Dual(a)
    {
      derivative[variable] = T(1.);
    }

    TESSERA_HOST_DEVICE Dual
    operator-() const
    {
      return map(-value, T(-1.));
    }

    TESSERA_HOST_DEVICE friend Dual
    operator+(const Dual &a, const Dual &b)
    {
      return combine(a.value + b.value, a, T(1.), b, T(1.));
    }

    TESSERA_HOST_DEVICE friend Dual
    operator-(const Dual &a, const Dual &b)
    {
      return combine(a.value - b.value, a, T(1.), b, T(-1.));
    }

    TESSERA_HOST_DEVICE friend Dual
    operator*(const Dual &a, const Dual &b)
    {
      return combine(a.value * b.value, a, b.value, b, a.value);
    }

    TESSERA_HOST_DEVICE friend Dual
    operator/(const Dual &a, const Dual &b)
    {
      const T inverse = T(1.) / b.value, quotient = a.value * inverse;
      return combine(quotient, a, inverse, b, -quotient * inverse);
    }

    TESSERA_HOST_DEVICE friend Dual
    operator+(Dual a, const T b)
    {
      a.value = a.value + b;
      return a;
    }

    TESSERA_HOST_DEVICE friend Dual
    operator+(const T a, const Dual &b)
    {
      return b + a;
    }

    TESSERA_HOST_DEVICE friend Dual
    operator-(const Dual &a, const T b)
    {
      return a + -b;
    }

    TESSERA_HOST_DEVICE friend Dual
    operator-(const T a, const Dual &b)
    {
      return b.map(a - b.value, T(-1.));
    }

    TESSERA_HOST_DEVICE friend Dual
    operator*(const Dual &a, const T b)
    {
      return a.map(a.value * b, b);
    }

    TESSERA_HOST_DEVICE friend Dual
    operator*(const T a, const Dual &b)
    {
      return b * a;
    }

    TESSERA_HOST_DEVICE friend Dual
    operator/(const Dual &a, const T b)
    {
      return a * (T(1.) / b);
    }

    TESSERA_HOST_DEVICE friend Dual
    exp(const Dual &a)
    {
      using std::exp;
      const T e = exp(a.value);
      return a.map(e, e);
    }

    TESSERA_HOST_DEVICE friend Dual
    log(const Dual &a)
    {
      using std::log;
      return a.map(log(a.value), T(1.) / a.value);
    }

    TESSERA_HOST_DEVICE friend Dual
    sqrt(const Dual &a)
    {
      using std::sqrt;
      const T root = sqrt(a.value);
      return a.map(root, T(0.5) / root);
    }

    /// Returns x where a < b, and y elsewhere.
    TESSERA_HOST_DEVICE friend Dual
    select_less(const Dual &a, const Dual &b, const Dual &x, const Dual &y)
    {
      Dual result;
      result.value = select_less(a.value, b.value, x.value, y.value);
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        result.derivative[i] =
          select_less(a.value, b.value, x.derivative[i], y.derivative[i]);
      return result;
    }

  private:
    /// A function of this one with that value and derivative.
    TESSERA_HOST_DEVICE Dual
    map(const T of, const T slope) const
    {
      Dual result;
      result.value = of;
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        result.derivative[i] = slope * derivative[i];
      return result;
    }

    /// A function of a and b with that value and derivatives.
    TESSERA_HOST_DEVICE static Dual
    combine(const T of, const Dual &a, const T by_a, const Dual &b,
            const T by_b)
    {
      Dual result;
      result.value = of;
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        result.derivative[i] = by_a * a.derivative[i] + by_b * b.derivative[i];
      return result;
    }
  };
} // namespace tessera

#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// A vector of `width` numbers, which is the value type of element
  /// mathematics on the host: every lane holds one cell. A plain number
  /// converts to a vector with the same value in every lane.
  template <class Number, int width>
  struct Simd
  {
    static constexpr int lanes = width;

    using Vector [[gnu::vector_size(width * sizeof(Number)), gnu::may_alias]] =
      Number;

    Vector v;

    Simd() = default;

    TESSERA_HOST
    Simd(const Number a) : v(a - Vector{}) // a, also -0: nothing to compute
    {}

    TESSERA_HOST
    explicit Simd(const Vector a, int) : v(a)
    {}

    TESSERA_HOST Number
    operator[](const int lane) const
    {
      return v[lane];
    }

    TESSERA_HOST void
    set(const int lane, const Number a)
    {
      v[lane] = a;
    }

    /// Loads `width` consecutive numbers; the address must be a multiple of the
    /// vector's size in bytes.
    TESSERA_HOST static Simd
    load(const Number *from)
    {
      return Simd(*reinterpret_cast<const Vector *>(from), 0);
    }

    TESSERA_HOST void
    store(Number *to) const
    {
      *reinterpret_cast<Vector *>(to) = v;
    }

    TESSERA_HOST Simd
    operator-() const
    {
      return Simd(-v, 0);
    }

    TESSERA_HOST Simd &
    operator+=(const Simd b)
    {
      v += b.v;
      return *this;
    }

    TESSERA_HOST Simd &
    operator-=(const Simd b)
    {
      v -= b.v;
      return *this;
    }

    TESSERA_HOST Simd &
    operator*=(const Simd b)
    {
      v *= b.v;
      return *this;
    }

    TESSERA_HOST friend Simd
    operator+(const Simd a, const Simd b)
    {
      return Simd(a.v + b.v, 0);
    }

    TESSERA_HOST friend Simd
    operator-(const Simd a, const Simd b)
    {
      return Simd(a.v - b.v, 0);
    }

    TESSERA_HOST friend Simd
    operator*(const Simd a, const Simd b)
    {
      return Simd(a.v * b.v, 0);
    }

    TESSERA_HOST friend Simd
    operator/(const Simd a, const Simd b)
    {
      return Simd(a.v / b.v, 0);
    }
  };
} // namespace tessera

#pragma once

#include <tessera/base/for_each.h>

// What VectorOperations does with entry i of its vectors.
namespace tessera
{
  /// y = a x + b y. Moves 3 numbers per entry, or 2 if b = 0, when y is not
  /// read.
  template <class Number>
  struct Combination : Pass
  {
    Number a;
    const Number *x;
    Number b;
    Number *y;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Scalars &) const
    {
      y[i] = b == Number(0) ? a * x[i] : a * x[i] + b * y[i];
    }
  };

  /// The sum x . z. Moves 2 numbers per entry.
  template <class Number>
  struct DotProduct : Pass
  {
    static constexpr int n_sums = 1;
    const Number *x, *z;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(int, const std::int64_t i) const
    {
      return double(x[i]) * double(z[i]);
    }
  };

  /// y += a x and the sum y . z, where z may be y. Moves 3 numbers per entry,
  /// or 4 if z is not y.
  template <class Number>
  struct AddAndDot : Pass
  {
    static constexpr int n_sums = 1;
    Number a;
    const Number *x;
    Number *y;
    const Number *z;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Scalars &) const
    {
      y[i] += a * x[i];
    }

    TESSERA_HOST_DEVICE double
    share(int, const std::int64_t i) const
    {
      return double(y[i]) * double(z[i]);
    }
  };

  /// The sum of the magnitudes of entries, which is 0 only if all entries are.
  /// Moves 1 number per entry.
  template <class Number>
  struct Magnitude : Pass
  {
    static constexpr int n_sums = 1;
    const Number *x;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(int, const std::int64_t i) const
    {
      return x[i] < Number(0) ? -double(x[i]) : double(x[i]);
    }
  };

  /// x = x / size, computed in double. Moves 2 numbers per entry.
  template <class Number>
  struct Division
  {
    Number *x;
    double size;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      x[i] = static_cast<Number>(double(x[i]) / size);
    }
  };
} // namespace tessera

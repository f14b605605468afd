#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// x = d = factor w b. Moves 4 numbers per entry.
  template <class Number>
  struct FirstStep
  {
    Number factor;
    Number *x, *d;
    const Number *weight, *b;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const Number value = factor * weight[i] * b[i];
      d[i]               = value;
      x[i]               = value;
    }
  };

  /// d = before d + residual w (b - y), x += d; d is not read if before = 0.
  /// Moves 7 numbers per entry, or 6 if d is not read.
  template <class Number>
  struct NextStep
  {
    Number before, residual;
    Number *x, *d;
    const Number *weight, *b, *y;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      Number value = residual * weight[i] * (b[i] - y[i]);
      if (before != Number(0))
        value += before * d[i];
      d[i] = value;
      x[i] += value;
    }
  };
} // namespace tessera

#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// x = factor w b. Moves 3 numbers per entry.
  template <class Number>
  struct FirstStep
  {
    Number factor;
    Number *x;
    const Number *weight, *b;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      x[i] = factor * weight[i] * b[i];
    }
  };

  /// d = before last + residual w (b - y), x += d. Moves 7 numbers per entry,
  /// or one less if `last`, the d of the step before, is not read, because
  /// before = 0, or is x, and one less if `d` is null, because no step follows.
  template <class Number>
  struct NextStep
  {
    Number before, residual;
    Number *x, *d;
    const Number *last, *weight, *b, *y;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      Number value = residual * weight[i] * (b[i] - y[i]);
      if (before != Number(0))
        value += before * last[i];
      if (d != nullptr)
        d[i] = value;
      x[i] += value;
    }
  };
} // namespace tessera

#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// d = before d + residual w y and x = from - d; d is neither read if
  /// before = 0 nor written in the last stage, which sets
  /// x = start + factor (from - d - start). x may be `from` or `start`.
  template <class Number>
  struct DiffusionStage
  {
    Number before, residual, factor;
    const Number *weight, *y, *from;
    const Number *start; ///< null unless it is the last stage
    Number *d, *x;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      Number change = residual * weight[i] * y[i];
      if (before != Number(0))
        change += before * d[i];
      if (start == nullptr)
        {
          d[i] = change;
          x[i] = from[i] - change;
        }
      else
        x[i] = start[i] + factor * (from[i] - start[i] - change);
    }
  };
} // namespace tessera

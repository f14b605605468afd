#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// What Traces::sample does for point i: result[i] = sum of the weights times
  /// the potential at its nodes.
  template <class Number>
  struct SamplePoint
  {
    const int *begins, *nodes;
    const Number *weights, *potential;
    Number *result;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      Number value(0);
      for (int k = begins[i]; k < begins[i + 1]; ++k)
        value += weights[k] * potential[nodes[k]];
      result[i] = value;
    }
  };
} // namespace tessera

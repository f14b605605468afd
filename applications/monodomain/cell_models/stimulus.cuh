#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// sum[nodes[i]] += value; nodes are different.
  template <class Number>
  struct AddAtNodes
  {
    Number *sum;
    const int *nodes;
    Number value;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      sum[nodes[i]] += value;
    }
  };
} // namespace tessera

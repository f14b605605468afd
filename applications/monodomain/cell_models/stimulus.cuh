#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// sum[nodes[i]] += value; nodes are different. With `delays`, only where
  /// a node began at most `duration` ago.
  template <class Number>
  struct AddAtNodes
  {
    Number *sum;
    const int *nodes;
    Number value;
    const Number *delays; ///< of the nodes, or null
    Number since, duration;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      if (delays == nullptr ||
          (since >= delays[i] && since < delays[i] + duration))
        sum[nodes[i]] += value;
    }
  };
} // namespace tessera

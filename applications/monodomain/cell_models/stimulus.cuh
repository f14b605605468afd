#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// sum[nodes[i]] += value; nodes are different. With `delays`, value times
  /// the part of a step, from `since` for a time `step`, in which a node is
  /// stimulated: it begins after its delay.
  template <class Number>
  struct AddAtNodes
  {
    Number *sum;
    const int *nodes;
    Number value;
    const Number *delays; ///< of the nodes, or null
    Number since, step, duration;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      Number part(1);
      if (delays != nullptr)
        {
          const Number begin = since < delays[i] ? delays[i] : since;
          const Number last = delays[i] + duration, end = since + step;
          part = ((end < last ? end : last) - begin) / step;
        }
      if (part > 0)
        sum[nodes[i]] += part * value;
    }
  };
} // namespace tessera

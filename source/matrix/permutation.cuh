#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// to_i = from_order(i).
  template <class Number>
  struct Permutation
  {
    Number *to;
    const Number *from;
    const int *order;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      to[i] = from[order[i]];
    }
  };
} // namespace tessera

#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// r_i = b_i - r_i. Moves 3 numbers per entry.
  template <class Number>
  struct MultigridResidual
  {
    Number *r;
    const Number *b;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      r[i] = b[i] - r[i];
    }
  };
} // namespace tessera

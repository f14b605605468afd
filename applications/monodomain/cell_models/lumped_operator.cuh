#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// y = mass x + factor y; y is not read if factor = 0. Moves 4 numbers an
  /// entry, or 3.
  template <class Number>
  struct AddLumped
  {
    Number factor;
    const Number *mass, *x;
    Number *y;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const Number before = factor == Number(0) ? Number(0) : factor * y[i];
      y[i]                = mass[i] * x[i] + before;
    }
  };
} // namespace tessera

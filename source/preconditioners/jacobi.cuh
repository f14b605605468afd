#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// d_i = 1 / d_i. Moves 2 numbers per entry.
  template <class Number>
  struct Inversion
  {
    Number *d;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      d[i] = Number(1) / d[i];
    }
  };

  /// z_i = d_i r_i. Moves 3 numbers per entry.
  template <class Number>
  struct Scaling
  {
    Number *z;
    const Number *d, *r;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      z[i] = d[i] * r[i];
    }
  };
} // namespace tessera

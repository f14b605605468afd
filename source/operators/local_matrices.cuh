#pragma once

#include <tessera/space/local_entry.h>

namespace tessera
{
  /// Computes r = K_e u, where `entry(k)` returns entry k of the matrix,
  /// numbered as in local_entry(). For a symmetric matrix each of the n (n + 1)
  /// / 2 entries is read once and used twice.
  template <int n, bool symmetric, class T, class Entry>
  TESSERA_HOST_DEVICE void
  local_product(const Entry &entry, const T (&u)[n], T (&r)[n])
  {
    TESSERA_UNROLL
    for (int i = 0; i < n; ++i)
      r[i] = entry(local_entry(symmetric, n, i, 0 + (symmetric ? i : 0))) *
             u[symmetric ? i : 0];
    TESSERA_UNROLL
    for (int i = 0; i < n; ++i)
      {
        TESSERA_UNROLL
        for (int j = symmetric ? i + 1 : 1; j < n; ++j)
          {
            const T k = entry(local_entry(symmetric, n, i, j));
            r[i] += k * u[j];
            if (symmetric)
              r[j] += k * u[i];
          }
      }
  }
} // namespace tessera

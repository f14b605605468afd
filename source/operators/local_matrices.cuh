#pragma once

#include <tessera/space/local_entry.h>

#include "local_matrices_kernels.h"

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

  /// All entries of cell matrices, or the upper halves of symmetric ones: the
  /// template argument of kernels that says what is stored.
  template <bool symmetric>
  struct LocalEntries
  {
    static constexpr bool upper = symmetric;

    /// Returns the number of values that are stored of a cell matrix.
    TESSERA_HOST_DEVICE static constexpr int
    n_stored(const int n_nodes, const int n_components)
    {
      return n_local_entries(symmetric, n_nodes * n_components);
    }

    /// Computes r = K_e u from what is stored.
    template <int n_nodes, int n_components, class T, class Entry>
    TESSERA_HOST_DEVICE static void
    product(const Entry &entry, const T (&u)[n_nodes * n_components],
            T (&r)[n_nodes * n_components])
    {
      local_product<n_nodes * n_components, symmetric>(entry, u, r);
    }

    /// Returns entry (i, i) of a cell matrix.
    template <class T, int n_nodes, int n_components, class Entry>
    TESSERA_HOST_DEVICE static T
    diagonal(const Entry &entry, const int i)
    {
      return entry(local_entry(symmetric, n_nodes * n_components, i, i));
    }
  };
} // namespace tessera

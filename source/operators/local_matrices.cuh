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

  /// Computes r = K_e u for a symmetric matrix whose rows add up to zero in
  /// every component, from its entries between different nodes:
  ///   r_a = sum over b of K_ab (u_b - u_a),
  /// where K_ab is the block of the nodes a and b.
  template <int n_nodes, int n_components, class T, class Entry>
  TESSERA_HOST_DEVICE void
  local_product_of_differences(const Entry &entry,
                               const T (&u)[n_nodes * n_components],
                               T (&r)[n_nodes * n_components])
  {
    constexpr int m = n_components;
    TESSERA_UNROLL
    for (int i = 0; i < n_nodes * m; ++i)
      r[i] = T(0);
    TESSERA_UNROLL
    for (int a = 0; a < n_nodes; ++a)
      {
        TESSERA_UNROLL
        for (int b = a + 1; b < n_nodes; ++b)
          {
            const int first = pair_of_nodes(n_nodes, a, b) * m * m;
            TESSERA_UNROLL
            for (int cd = 0; cd < m * m; ++cd)
              {
                const int c = cd / m * n_nodes, d = cd % m * n_nodes;
                const T k = entry(first + cd);
                r[c + a] += k * (u[d + b] - u[d + a]);
                r[d + b] += k * (u[c + a] - u[c + b]);
              }
          }
      }
  }

  /// Computes r = K_e u from the stored entries of a cell matrix.
  template <LocalEntries entries, int n_nodes, int n_components, class T,
            class Entry>
  TESSERA_HOST_DEVICE void
  stored_product(const Entry &entry, const T (&u)[n_nodes * n_components],
                 T (&r)[n_nodes * n_components])
  {
    if constexpr (entries == LocalEntries::off_diagonal)
      local_product_of_differences<n_nodes, n_components>(entry, u, r);
    else
      local_product<n_nodes * n_components, entries == LocalEntries::upper>(
        entry, u, r);
  }

  /// Returns entry (i, i) of a cell matrix.
  template <class T, LocalEntries entries, int n_nodes, int n_components,
            class Entry>
  TESSERA_HOST_DEVICE T
  stored_diagonal(const Entry &entry, const int i)
  {
    if constexpr (entries == LocalEntries::off_diagonal)
      {
        const int a = i % n_nodes, c = i / n_nodes;
        T sum = T(0);
        for (int b = 0; b < n_nodes; ++b)
          if (b != a)
            sum -= entry((pair_of_nodes(n_nodes, a < b ? a : b, a < b ? b : a) *
                            n_components +
                          c) *
                           n_components +
                         c);
        return sum;
      }
    else
      return entry(local_entry(entries == LocalEntries::upper,
                               n_nodes * n_components, i, i));
  }
} // namespace tessera

#pragma once

#include "packed_matrices_kernels.h"

namespace tessera
{
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

  /// The entries between different nodes, in place of LocalEntries.
  struct DifferenceEntries
  {
    static constexpr bool upper = false;

    TESSERA_HOST_DEVICE static constexpr int
    n_stored(const int n_nodes, const int n_components)
    {
      return n_off_diagonal(n_nodes, n_components);
    }

    template <int n_nodes, int n_components, class T, class Entry>
    TESSERA_HOST_DEVICE static void
    product(const Entry &entry, const T (&u)[n_nodes * n_components],
            T (&r)[n_nodes * n_components])
    {
      local_product_of_differences<n_nodes, n_components>(entry, u, r);
    }

    /// Entry (i, i) is minus the sum of the others in its row.
    template <class T, int n_nodes, int n_components, class Entry>
    TESSERA_HOST_DEVICE static T
    diagonal(const Entry &entry, const int i)
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
  };
} // namespace tessera

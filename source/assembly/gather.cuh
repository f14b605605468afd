#pragma once

#include <tessera/space/element.h>
#include <tessera/space/local_entry.h>

#include "gather_kernels.h"

namespace tessera
{
  /// Calls `add(slot, value)` for all that the cells of a row have for it, cell
  /// by cell in ascending order. `slots` belong to the sink, have 8 or 16
  /// bits and count nodes; loads go ahead of additions, as many as
  /// registers hold.
  template <class E, int n_components, int lanes, class Slot, class Number,
            class Add>
  TESSERA_HOST_DEVICE void
  for_each_contribution(const GatherRows<Number> &in, const Slot *slots,
                        const int row, const Add &add)
  {
    constexpr int n = E::n, all = n_components * n;
    constexpr int n_upper = n_local_entries(true, all);
    constexpr int chunk   = n <= 27 ? n : n == 64 ? 16 : 25;
    constexpr Slot none   = static_cast<Slot>(-1);
    const int of_node     = row / n_components * n_components;
    const int component   = row - of_node;
    const auto end        = in.start[of_node / n_components + 1];
    for (auto k = in.start[of_node / n_components]; k < end; ++k)
      {
        const unsigned int entry = in.entries[k], cell = entry / n;
        const int node           = static_cast<int>(entry % n);
        const int i              = component * n + node;
        const int lane           = static_cast<int>(cell % lanes);
        const std::int64_t batch = cell / lanes;
        const Slot *const of_row =
          slots + (batch * n * n + node * n) * lanes + lane;
        const Number *const of_cell =
          in.matrices + batch * n_upper * lanes + lane;
        TESSERA_ROLLED
        for (int j0 = 0; j0 < all; j0 += chunk)
          {
            const int b = n_components == 1 ? 0 : j0 / n, first = j0 - b * n;
            Slot slot[chunk];
            Number value[chunk];
            TESSERA_UNROLL_BY(chunk)
            for (int c = 0; c < chunk; ++c)
              {
                const int j = j0 + c;
                slot[c]     = read_only(of_row + (first + c) * lanes);
                value[c]    = read_only(
                     of_cell + lanes * (j < i ? local_entry(true, all, j, i)
                                              : local_entry(true, all, i, j)));
              }
            TESSERA_UNROLL_BY(chunk)
            for (int c = 0; c < chunk; ++c)
              if (slot[c] != none)
                add(n_components * static_cast<int>(slot[c]) + b, value[c]);
          }
      }
  }
} // namespace tessera

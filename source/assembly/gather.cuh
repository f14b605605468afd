#pragma once

#include <tessera/space/element.h>
#include <tessera/space/local_entry.h>

#include "gather_kernels.h"

namespace tessera
{
  /// Calls `add(slot, value)` for all that the cells of a row have for it, cell
  /// by cell in ascending order. `slots` are those of the sink, of 8 or 16
  /// bits; loads go ahead of additions, as many as registers hold.
  template <class E, int lanes, class Slot, class Number, class Add>
  TESSERA_HOST_DEVICE void
  for_each_contribution(const GatherRows<Number> &in, const Slot *slots,
                        const int row, const Add &add)
  {
    constexpr int n = E::n, n_upper = n_local_entries(true, n);
    constexpr int chunk = n <= 27 ? n : n == 64 ? 16 : 25;
    constexpr Slot none = static_cast<Slot>(-1);
    const auto end      = in.start[row + 1];
    for (auto k = in.start[row]; k < end; ++k)
      {
        const unsigned int entry = in.entries[k], cell = entry / n;
        const int i              = static_cast<int>(entry % n);
        const int lane           = static_cast<int>(cell % lanes);
        const std::int64_t batch = cell / lanes;
        const Slot *const of_row =
          slots + (batch * n * n + i * n) * lanes + lane;
        const Number *const of_cell =
          in.matrices + batch * n_upper * lanes + lane;
        TESSERA_ROLLED
        for (int j0 = 0; j0 < n; j0 += chunk)
          {
            Slot slot[chunk];
            Number value[chunk];
            TESSERA_UNROLL_BY(chunk)
            for (int c = 0; c < chunk; ++c)
              {
                const int j = j0 + c;
                slot[c]     = read_only(of_row + j * lanes);
                value[c]    = read_only(
                     of_cell + lanes * (j < i ? local_entry(true, n, j, i)
                                              : local_entry(true, n, i, j)));
              }
            TESSERA_UNROLL_BY(chunk)
            for (int c = 0; c < chunk; ++c)
              if (slot[c] != none)
                add(static_cast<int>(slot[c]), value[c]);
          }
      }
  }
} // namespace tessera

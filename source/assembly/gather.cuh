#pragma once

#include <tessera/space/element.h>

#include "gather_kernels.h"
#include "sinks.cuh"

namespace tessera
{
  /// Calls `add(slot, value)` for all that the cells of a row have for it, cell
  /// by cell in ascending order.
  template <class E, int lanes, class Number, class Add>
  TESSERA_HOST_DEVICE void
  for_each_contribution(const GatherRows<Number> &in, const int row,
                        const Add &add)
  {
    constexpr int n  = E::n;
    const bool bytes = in.sink.slots_8 != nullptr;
    const int none   = bytes ? 0xff : 0xffff;
    const auto end   = in.start[row + 1];
    for (auto k = in.start[row]; k < end; ++k)
      {
        const unsigned int entry = in.entries[k], cell = entry / n;
        const int i = static_cast<int>(entry % n);
        const LanePlace<lanes> place{cell / lanes,
                                     static_cast<int>(cell % lanes)};
        TESSERA_UNROLL_BY(E::row_part)
        for (int j = 0; j < n; ++j)
          {
            const std::int64_t at = place(n * n, i * n + j);
            const int slot        = bytes ? read_only(in.sink.slots_8 + at)
                                          : read_only(in.sink.slots_16 + at);
            const int upper =
              i < j ? local_entry(true, n, i, j) : local_entry(true, n, j, i);
            if (slot != none)
              add(slot, read_only(in.matrices +
                                  place(n_local_entries(true, n), upper)));
          }
      }
  }
} // namespace tessera

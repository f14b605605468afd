#pragma once

#include <tessera/base/for_each.h>

#include "slices_kernels.h"

namespace tessera
{
  /// Fills the arrays of the row at place i of the sorted rows, in slice s.
  TESSERA_HOST_DEVICE void
  fill_row(const SellSlices &slices, const RowsOfSlices &to, const int s,
           const int i)
  {
    const int row  = slices.permutation != nullptr ? slices.permutation[i] : i;
    const int log2 = slices.log2_threads[s];
    const std::int64_t first = slices.start[s];
    const std::int64_t lane  = static_cast<std::int64_t>(i - slices.rows[s])
                              << log2;
    to.base[row]         = first + lane;
    to.log2_threads[row] = slices.log2_threads[s];
    to.widths[row]       = static_cast<std::int32_t>(
      ((slices.start[s + 1] - first) >> slices.log2_lanes) << log2);
  }

  /// Says where the values of a row of entries begin, which belongs to a row of
  /// b x b blocks whose first index stands at `base`.
  struct EntriesOfBlocks
  {
    int b;
    int n_lanes;              ///< of a slice
    const std::int64_t *base; ///< [n_rows / b]
    std::int64_t *entry_base; ///< [n_rows]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const std::int64_t first = base[row / b], lane = first % n_lanes;
      entry_base[row] = (first - lane) * b * b + row % b * n_lanes + lane;
    }
  };
} // namespace tessera

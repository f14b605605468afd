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

  /// Places the indices of the blocks of a row, of which each serves b entries,
  /// and its padding. Places of indices are a b-th of those of entries.
  struct ColumnsOfBlocks
  {
    int b;
    int n_lanes;                   ///< of a slice
    const std::int64_t *row_start; ///< [n_rows / b + 1]
    const int *columns;
    const std::int64_t *base; ///< [n_rows], of the entries
    const std::int32_t *widths;
    std::int64_t *block_base; ///< [n_rows]
    int *to;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const std::int64_t lane = base[row] % n_lanes, node = row / b,
                         begin = row_start[node];
      const auto n             = static_cast<int>(row_start[node + 1] - begin);
      std::int64_t place       = (base[row] - lane) / b + lane;
      block_base[row]          = place;
      for (int k = 0; k < widths[row] / b; ++k, place += n_lanes)
        to[place] = k < n ? columns[begin + k] : static_cast<int>(node);
    }
  };
} // namespace tessera

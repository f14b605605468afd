#pragma once

#include <tessera/base/for_each.h>

#include "slices_kernels.h"

namespace tessera
{
  /// The keys by which the device sorts rows, by window and then by descending
  /// length: keys[i] = (i / window) (longest + 1) + longest - lengths[i], where
  /// longest is the length of the longest row. Reads 4 n and writes 8 n, or 12
  /// n with 64-bit keys. `unsorted` is read before it is written, so that few
  /// threads write it; all of them write the same value.
  template <class Key>
  struct RowKeys
  {
    int window;
    int longest; ///< length of the longest row
    const std::int32_t *lengths;
    Key *keys;     ///< [n_rows]
    int *rows;     ///< [n_rows]: 0, 1, 2, ...
    int *unsorted; ///< set to 1 if a key is less than the one before

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const int i = static_cast<int>(row);
      const int k = i / window, length = lengths[i];
      keys[i] = static_cast<Key>(k) * (static_cast<Key>(longest) + 1) +
                static_cast<Key>(longest - length);
      rows[i] = i;
      // Volatile, since others write it meanwhile.
      volatile int *const flag = unsorted;
      if (i > 0 && (i - 1) / window == k && lengths[i - 1] < length &&
          *flag == 0)
        *flag = 1;
    }
  };

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

#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/runtime.h>

#include <cstdint>

// What the second pass of GatherVector hands to its kernels.
namespace tessera
{
  template <class Number>
  struct GatherEntries
  {
    const std::int64_t *start;
    const unsigned int *entries; ///< cell n + node
    const Number *values;        ///< [n_batches][n][lanes]
    int n_rows;
    unsigned int n, lanes;

    /// What the cells have for row r, cell by cell in ascending order.
    TESSERA_HOST_DEVICE Number
    sum(const int row) const
    {
      Number sum     = Number(0);
      const auto end = start[row + 1];
      for (auto k = start[row]; k < end; ++k)
        {
          const unsigned int entry = entries[k], cell = entry / n;
          const std::int64_t batch = cell / lanes;
          sum += values[(batch * n + entry % n) * lanes + cell % lanes];
        }
      return sum;
    }
  };

  /// y_r += the sum of row r, for all rows, on the device.
  template <class Number>
  void
  add_gathered(const GatherEntries<Number> &rows, Number *y, Stream stream);
} // namespace tessera

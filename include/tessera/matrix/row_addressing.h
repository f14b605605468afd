#pragma once

#include <tessera/base/attributes.h>

#include <cstdint>

namespace tessera
{
  /// Tells where entry k of a row is stored in the values of a format. The
  /// parameters are run-time data, so that the same assembly kernels serve
  /// every format.
  ///   position(row, k) = base(row) + (k / T) stride(row) + k % T,
  /// where T = 2^log2_threads is the number of threads per row.
  /// - CSR: base = row_start, T = 1, stride 1.
  /// - ELLPACK: base = (row / 32) slice + row % 32, stride 32 (see
  ///   ell_layout.h).
  /// - Sliced and warp formats: base, stride and T may differ between rows.
  /// - Divided rows: as ELLPACK for k < width, and base(row) + rest(row) + k
  ///   otherwise.
  struct RowAddressing
  {
    const std::int64_t *base_64;      ///< [n_rows] or null
    const std::int32_t *base_32;      ///< [n_rows] or null; both null: ELLPACK
    const std::int32_t *strides;      ///< [n_rows]; null: `stride` for all rows
    const std::uint8_t *log2_threads; ///< [n_rows]; null: 0 for all rows
    std::int64_t stride;
    /// [n_rows]; null: up to the next row.
    const std::int32_t *lengths = nullptr;
    const std::int64_t *rest    = nullptr; ///< [n_rows]; null: no rest
    std::int32_t width          = 0;       ///< of the part before the rest
    /// Places of 32 rows; 32 gives base = row.
    std::int64_t slice = 32;

    TESSERA_HOST_DEVICE std::int64_t
    position(const int row, const int k) const
    {
      return base(row) + offset(row, k);
    }

    /// True if rows are stored in one array, one after the other and without
    /// gaps (CSR).
    bool
    follow_one_another() const
    {
      return (base_64 != nullptr || base_32 != nullptr) && strides == nullptr &&
             log2_threads == nullptr && lengths == nullptr && stride == 1;
    }

    /// Returns the number of entries of a row. Requires that `lengths` are
    /// given or that rows follow one another.
    TESSERA_HOST_DEVICE int
    length(const int row) const
    {
      return lengths != nullptr ? lengths[row]
                                : static_cast<int>(base(row + 1) - base(row));
    }

    TESSERA_HOST_DEVICE std::int64_t
    base(const int row) const
    {
      return base_64 != nullptr   ? base_64[row]
             : base_32 != nullptr ? base_32[row]
                                  : (row >> 5) * slice + (row & 31);
    }

    /// Returns the position of entry k relative to the base of its row.
    TESSERA_HOST_DEVICE std::int64_t
    offset(const int row, const int k) const
    {
      if (rest != nullptr && k >= width)
        return rest[row] + k;
      const int s          = log2_threads != nullptr ? log2_threads[row] : 0;
      const std::int64_t d = strides != nullptr ? strides[row] : stride;
      return (k >> s) * d + (k & ((1 << s) - 1));
    }
  };
} // namespace tessera

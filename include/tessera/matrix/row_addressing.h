#pragma once

#include <tessera/base/attributes.h>

#include <cstdint>

namespace tessera
{
  /// Where entry k of a row stands among the values of a format: run-time
  /// data, so that assembly serves every format by the same kernels.
  ///   T = 2^log2_threads threads a row,
  ///   position(row, k) = base(row) + (k / T) stride(row) + k % T.
  /// CSR: base = row_start, T = 1, stride 1. ELLPACK: base = (row / 32) slice +
  /// row % 32, stride 32 (see ell_layout.h). Sliced and warp formats: base and
  /// stride by row. Hybrid: ELLPACK up to k = width, then base(row) + rest(row)
  /// + k.
  struct RowAddressing
  {
    const std::int64_t *base_64; ///< [n_rows] or null
    const std::int32_t *base_32; ///< [n_rows] or null; both null: by slices
    const std::int32_t *strides; ///< [n_rows] or null: `stride` for all
    const std::uint8_t *log2_threads; ///< [n_rows] or null: 0 for all
    std::int64_t stride;
    const std::int32_t *lengths = nullptr; ///< [n_rows] or null: up to the next
    const std::int64_t *rest    = nullptr; ///< [n_rows] or null: there is none
    std::int32_t width          = 0;       ///< where there is a rest
    std::int64_t slice          = 32; ///< places of 32 rows; 32: base = row

    TESSERA_HOST_DEVICE std::int64_t
    position(const int row, const int k) const
    {
      return base(row) + offset(row, k);
    }

    /// Whether rows are pieces of one array, one after the other (CSR).
    bool
    follow_one_another() const
    {
      return (base_64 != nullptr || base_32 != nullptr) && strides == nullptr &&
             log2_threads == nullptr && stride == 1;
    }

    /// Whether entries k of neighbouring rows are neighbours (ELLPACK).
    bool
    side_by_side() const
    {
      return base_64 == nullptr && base_32 == nullptr &&
             log2_threads == nullptr;
    }

    /// Entries of a row, where `lengths` are given or rows follow one another.
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

    /// From the base of the row on.
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

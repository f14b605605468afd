#pragma once

#include <tessera/matrix/row_addressing.h>

// Defines where the entries of ELLPACK are stored, with the rows of a warp
// together:
//   [ceil(rows / 32)][width][32]
// As in the layout [width][rows], the entries k of neighbouring rows are
// neighbours; but a warp reads one contiguous piece of memory instead of one
// for each k (doc/benchmarking.md shows the benefit).
namespace tessera
{
  /// The number of rows that are stored together: the threads of a warp.
  constexpr int ell_slice_rows = 32;

  /// Returns the number of rows, including padding rows of the last slice.
  TESSERA_HOST_DEVICE constexpr std::int64_t
  ell_padded_rows(const int n_rows)
  {
    return (static_cast<std::int64_t>(n_rows) + ell_slice_rows - 1) /
           ell_slice_rows * ell_slice_rows;
  }

  /// Returns the place of entry 0 of a row; entry k is stored k *
  /// ell_slice_rows places behind.
  TESSERA_HOST_DEVICE std::int64_t
  ell_base(const std::int64_t row, const int width)
  {
    return row / ell_slice_rows * ell_slice_rows * width + row % ell_slice_rows;
  }

  TESSERA_HOST_DEVICE std::int64_t
  ell_place(const std::int64_t row, const int k, const int width)
  {
    return ell_base(row, width) + k * ell_slice_rows;
  }

  /// Returns the addressing of rows in ELLPACK. `rest`, [n_rows], tells where
  /// longer rows continue, see RowAddressing.
  inline RowAddressing
  ell_addressing(const int width, const std::int32_t *const lengths,
                 const std::int64_t *const rest = nullptr)
  {
    return {nullptr,
            nullptr,
            nullptr,
            nullptr,
            ell_slice_rows,
            lengths,
            rest,
            rest == nullptr ? 0 : width,
            std::int64_t(ell_slice_rows) * width};
  }
} // namespace tessera

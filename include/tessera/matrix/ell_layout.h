#pragma once

#include <tessera/matrix/row_addressing.h>

// Where entries of ELLPACK stand: [ceil(rows / 32)][width][32], the rows of a
// warp together. Next to [width][rows], entries k of neighbouring rows are
// neighbours as well, but what a warp reads comes from one piece of memory
// instead of one for each k (doc/benchmarking.md has what that is worth).
namespace tessera
{
  /// Rows that stand together: the threads of a warp.
  constexpr int ell_slice_rows = 32;

  /// Rows with those that fill up the last slice.
  TESSERA_HOST_DEVICE constexpr std::int64_t
  ell_padded_rows(const int n_rows)
  {
    return (static_cast<std::int64_t>(n_rows) + ell_slice_rows - 1) /
           ell_slice_rows * ell_slice_rows;
  }

  /// The place of entry 0 of a row; entry k stands k slices of rows further.
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

  /// Of rows in ELLPACK, with what longer ones have behind it.
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

#pragma once

#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/sell_shape.h>

namespace tessera
{
  /// Where rows stand in slices, as kernels see it; see SellMatrix.
  struct SellSlices
  {
    int n_slices;
    int log2_lanes; ///< of a slice
    const std::int64_t *start;
    const int *rows;
    const std::uint8_t *log2_threads;
    const int *permutation; ///< or null
    const std::int32_t *lengths;
    int n_rows;
    /// Of the lanes of every row, where all have as many: then slices follow
    /// from their number, and two loads that wait for one another are spared;
    /// -1: as `log2_threads` says.
    int log2_of_all;
  };

  /// What sliced ELLPACK stores beside values, see SellMatrix.
  struct SellLayout
  {
    SellShape shape;
    int log2_lanes        = 0; ///< of a slice
    int most_log2_threads = 0; ///< of a row of any slice
    Array<std::int64_t> slice_start;
    Array<int> slice_rows;
    Array<std::uint8_t> log2_threads;
    Array<int> permutation;
    Array<std::int32_t> lengths;
    Array<std::int64_t> base;             ///< of assembly, [n_rows]
    Array<std::uint8_t> row_log2_threads; ///< of assembly, [n_rows]
    Array<int> columns;

    SellSlices
    slices() const
    {
      return {static_cast<int>(log2_threads.size()),
              log2_lanes,
              slice_start.data(),
              slice_rows.data(),
              log2_threads.data(),
              permutation.data(),
              lengths.data(),
              static_cast<int>(lengths.size()),
              shape.threshold == 0 ? most_log2_threads : -1};
    }
  };

  /// Of the rows of a pattern, on its backend; the same bits on either. The
  /// device sorts rows and cuts slices itself (`slices.cu`), but for a
  /// threshold where fewer than all rows are sorted: there a slice begins where
  /// the one before ends, and how far that reaches depends on its rows, so that
  /// starts of rows are brought to the host and slices back. Throws
  /// ParameterError for a shape that is not legal.
  SellLayout
  make_sell_layout(const CsrPattern &pattern, const SellShape &shape);
} // namespace tessera

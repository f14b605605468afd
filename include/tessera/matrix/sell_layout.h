#pragma once

#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/sell_shape.h>

namespace tessera
{
  /// The layout of rows in slices as kernels see it; see SellMatrix. For a
  /// matrix of blocks, rows are rows of blocks and lengths count blocks.
  struct SellSlices
  {
    int n_slices;
    int log2_lanes; ///< lanes of a slice
    const std::int64_t *start;
    const int *rows;
    const std::uint8_t *log2_threads;
    const int *permutation; ///< null if rows are not reordered
    const std::int32_t *lengths;
    int n_rows;
    /// log2 of the lanes of a row if all rows have equally many. Kernels then
    /// compute the rows of a slice from its number, which saves two dependent
    /// loads. If -1, the lanes are given by `log2_threads`.
    int log2_of_all;
  };

  /// The data of sliced ELLPACK besides the values, see SellMatrix.
  struct SellLayout
  {
    SellShape shape;
    int log2_lanes        = 0; ///< lanes of a slice
    int most_log2_threads = 0; ///< most lanes of a row
    Array<std::int64_t> slice_start;
    Array<int> slice_rows;
    Array<std::uint8_t> log2_threads;
    Array<int> permutation;
    Array<std::int32_t> lengths;
    /// For assembly: where each row begins, and log2 of its lanes.
    Array<std::int64_t> base;
    Array<std::uint8_t> row_log2_threads;
    Array<int> columns; ///< [slice][width][C]
    int block = 1;      ///< b
    /// If there are blocks: where the values of each row of entries begin, and
    /// the length of the row, [n_rows b].
    Array<std::int64_t> entry_base;
    Array<std::int32_t> entry_lengths;

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

  /// Computes the layout for the rows of a pattern, on the backend of the
  /// pattern. The result is bitwise the same on host and device.
  ///
  /// The device sorts rows and cuts slices itself (`slices.cu`), unless there
  /// is a threshold and fewer than all rows are sorted together. In that case a
  /// slice begins where the previous one ends, which depends on the rows in it;
  /// therefore row starts are copied to the host and slices are copied back.
  /// Throws ParameterError for an illegal shape, and for rows of blocks with
  /// several lanes per row.
  SellLayout
  make_sell_layout(const CsrPattern &pattern, const SellShape &shape);
} // namespace tessera

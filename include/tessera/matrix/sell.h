#pragma once

#include <tessera/matrix/row_matrix.h>
#include <tessera/matrix/sell_layout.h>

namespace tessera
{
  /// Sliced ELLPACK with sorting windows and several lanes per row. C lanes
  /// form a slice, which is as wide as its longest row requires; T lanes share
  /// a row. Lane l of a slice belongs to row r = l / T of the slice and has the
  /// entries k with k % T = l % T. Rows may be sorted by length, sigma of them
  /// at a time. The following formats are special cases (WongKuhlDarve2015,
  /// sections 4 and 5.1 to 5.4):
  ///   sliced ELLPACK      C, sigma = 1, T = 1
  ///   SELL-C-sigma        C, sigma, T = 1
  ///   ELLR-T              C = 32, sigma = 1, T, all slices of one width
  ///   sliced ELLR-T       C, sigma = 1, T
  ///   pJDS                C = 32, sigma = all rows, T = 1
  ///   ELL-WARP K1         C = 32, sigma = all rows, T = 1
  ///   ELL-WARP K2         C = 32, sigma = all rows, T by a threshold
  ///   ELLPACK row by row  C = 1, sigma = 1, T = 1, all slices of one width
  ///                       (row-major in LinLau2025, section II.C)
  /// Arrays:
  ///   values, columns: [slice][width of the slice][C]
  ///   lengths: [n_rows]
  /// Padding has the value 0 and the column of its own row, or 0 in lanes
  /// without a row. If the matrix consists of blocks of b x b entries, which
  /// needs T = 1, a row has a column index for every b entries:
  ///   columns: [slice][width of the slice / b][C].
  /// The lengths of rows allow the device to skip padding at the ends of rows.
  template <class Number>
  class SellMatrix : public RowMatrix<Number>
  {
  public:
    /// Places the rows of a pattern; values are zero. Throws ParameterError for
    /// an illegal shape.
    explicit SellMatrix(const CsrPattern &pattern, const SellShape &shape = {});

    const SellShape &
    shape() const
    {
      return layout.shape;
    }

    int
    n_slices() const
    {
      return static_cast<int>(layout.log2_threads.size());
    }

    /// Returns log2 of the number C of lanes of a slice.
    int
    log2_lanes() const
    {
      return layout.log2_lanes;
    }

    /// Returns log2 of the largest number of lanes per row among all slices.
    int
    most_log2_threads() const
    {
      return layout.most_log2_threads;
    }

    SellSlices
    slices() const
    {
      return layout.slices();
    }

    /// [n_slices + 1]: the first place of each slice, and the end.
    const std::int64_t *
    slice_start() const
    {
      return layout.slice_start.data();
    }

    /// [n_slices + 1]: the position of the first row of each slice among the
    /// sorted rows, and the end.
    const int *
    slice_rows() const
    {
      return layout.slice_rows.data();
    }

    /// [n_slices]: log2 of the number of lanes per row.
    const std::uint8_t *
    log2_threads() const
    {
      return layout.log2_threads.data();
    }

    /// [n_rows]: the row at each position of the sorted rows; null if rows are
    /// not reordered.
    const int *
    permutation() const
    {
      return layout.permutation.data();
    }

    /// [n_rows]: the number of entries of each row.
    const std::int32_t *
    lengths() const
    {
      return layout.lengths.data();
    }

    /// position(row, k) = base[row] + (k / T[row]) C + k % T[row]
    RowAddressing
    addressing() const override
    {
      return {
        layout.base.data(), nullptr,  nullptr, layout.row_log2_threads.data(),
        layout.shape.lanes, lengths()};
    }

    BlockColumns
    blocks() const override
    {
      return {layout.block,
              1,
              {layout.block_base.data(), nullptr, nullptr, nullptr,
               layout.shape.lanes}};
    }

    std::size_t
    bytes() const override
    {
      return index_bytes() + layout.base.bytes() + layout.block_base.bytes() +
             layout.row_log2_threads.bytes() + this->bytes_of_places();
    }

    std::size_t
    index_bytes() const override
    {
      return layout.slice_start.bytes() + layout.slice_rows.bytes() +
             layout.log2_threads.bytes() + layout.permutation.bytes() +
             layout.lengths.bytes();
    }

  private:
    SellMatrix(SellLayout &&layout, std::int64_t n_nonzeros,
               int max_row_length);

    SellLayout layout; ///< columns are moved to the base class
  };
} // namespace tessera

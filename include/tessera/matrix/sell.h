#pragma once

#include <tessera/matrix/row_matrix.h>
#include <tessera/matrix/sell_layout.h>

namespace tessera
{
  /// Sliced ELLPACK with sorting windows and several lanes a row: C lanes make
  /// a slice, which is as wide as its longest row asks for. Lane l of a slice
  /// has entries k of its row r with k % T = l % T, l / T = r. It contains,
  /// by C, sigma and T,
  ///   sliced ELLPACK      C, sigma = 1, T = 1
  ///   SELL-C-sigma        C, sigma, T = 1
  ///   ELLR-T              C = 32, sigma = 1, T, all slices of one width
  ///   sliced ELLR-T       C, sigma = 1, T
  ///   pJDS                C = 32, sigma = all rows, T = 1
  ///   ELL-WARP K1         C = 32, sigma = all rows, T = 1
  ///   ELL-WARP K2         C = 32, sigma = all rows, T by a threshold
  /// (WongKuhlDarve2015, sections 4 and 5.1 to 5.4).
  /// values, columns: [slice][width of the slice][C]; padding has value 0 and
  /// the column of its own row, 0 in lanes without a row. Lengths of rows are
  /// stored beside, so that the device does not read padding at their ends.
  template <class Number>
  class SellMatrix : public RowMatrix<Number>
  {
  public:
    /// Throws ParameterError for a shape that is not legal.
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

    /// Of a slice, as a power of two.
    int
    log2_lanes() const
    {
      return layout.log2_lanes;
    }

    /// The most lanes of a row of any slice, as a power of two.
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

    /// [n_slices + 1]: first place of a slice, and the end.
    const std::int64_t *
    slice_start() const
    {
      return layout.slice_start.data();
    }

    /// [n_slices + 1]: first of the sorted rows of a slice, and the end.
    const int *
    slice_rows() const
    {
      return layout.slice_rows.data();
    }

    /// [n_slices]
    const std::uint8_t *
    log2_threads() const
    {
      return layout.log2_threads.data();
    }

    /// [n_rows]: the row that stands at that place among the sorted ones; null
    /// where each stands at its own.
    const int *
    permutation() const
    {
      return layout.permutation.data();
    }

    /// [n_rows]
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

    std::size_t
    bytes() const override
    {
      return index_bytes() + layout.base.bytes() +
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
    SellMatrix(SellLayout &&layout, const CsrPattern &pattern);

    SellLayout layout; ///< columns have moved on to the base class
  };
} // namespace tessera

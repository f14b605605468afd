#pragma once

#include <tessera/matrix/sell.h>
#include <tessera/operators/options.h>
#include <tessera/operators/row_operator.h>

#include <optional>

namespace tessera
{
  /// Launch parameters of the product on the device. The host ignores them.
  struct SellLaunch
  {
    std::optional<int> block =
      {}; ///< threads, a multiple of 32 up to 256; empty: tuned
    /// If true, x is loaded through the read-only cache (WongKuhlDarve2015,
    /// section 7, used textures for this); if false, by plain loads, in blocks
    /// of the tuned size only.
    bool read_only = true;
  };

  /// The options `Slice lanes`, `Slice window`, `Slice threads per row` and
  /// `Slice threshold` of formats with slices.
  const OptionSet &
  slice_options();

  /// The option `Slice width` of formats with slices.
  const OptionSet &
  slice_width_options();

  SellShape
  slice_shape(const StorageOptions &options);

  /// Inverse of `slice_shape`, for any shape.
  StorageOptions
  options_of(const SellShape &shape);

  struct MemoryCounts;

  /// Estimates the places per cell. Slices are at most as wide as the longest
  /// row.
  double
  places_of_slices(const MemoryCounts &n, const StorageOptions &options);

  /// Estimates the bytes per cell of slices, their pattern meanwhile, and 13
  /// bytes that describe a row.
  double
  bytes_of_slices(const MemoryCounts &n, const StorageOptions &options);

  /// The options `Block size` and `Loads of x` of `sell`.
  const OptionSet &
  sell_launch_options();

  /// y = A x with sliced ELLPACK for every SellShape: any slice height, sorting
  /// window and number of lanes per row (WongKuhlDarve2015, section 5, listings
  /// 2 and 3). On the device one thread takes a lane, and neighbouring threads
  /// read neighbouring words. The lanes of a row are summed by shuffles. If
  /// rows are sorted, the sum is written to the original index of its row.
  template <class Number>
  class Sell : public MatrixOperator<Number, SellMatrix>
  {
  public:
    /// Takes ownership of an assembled matrix. The vectors of the operator have
    /// `n_tail` tail entries. Throws ParameterError for an illegal block size,
    /// for plain loads together with a block size other than the tuned one, and
    /// for either of them if the matrix has blocks of entries.
    Sell(SellMatrix<Number> matrix, int n_tail, const SellLaunch &launch = {},
         const std::string &name = "sell");

    /// Returns `C`, `sigma`, and either `threshold` or `T`.
    RecordValues
    layout_parameters() const override;

    /// Returns the threads of a `block`, and `read_only` if it is 0.
    RecordValues
    product_parameters() const override;

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    int block;
    bool read_only;
  };
} // namespace tessera

#pragma once

#include <tessera/matrix/packed_columns.h>
#include <tessera/matrix/short_columns.h>
#include <tessera/operators/sell.h>

namespace tessera
{
  /// The option `Slice values` of `sell_packed` and `sell_short`.
  const OptionSet &
  slice_values_options();

  SliceValues
  slice_values(const StorageOptions &options);

  /// y = A x with sliced ELLPACK whose columns are stored in fewer bits.
  /// Optionally values are rounded to float as well, while x, y and sums keep
  /// the type Number.
  ///
  /// There are two choices of `Columns`. With PackedColumns a product reads 4
  /// bytes per line of C entries and up to 4 bytes per entry; if neighbouring
  /// rows have similar columns, this is 0.2 to 1.3 bytes per entry. With
  /// ShortColumns it reads 2 bytes per entry and 4 per slice or per line;
  /// slices whose columns span more than 65536 cost 4 bytes per entry.
  ///
  /// The matrix keeps its original columns and values too, for assembly,
  /// elimination and smoothers.
  template <class Number, class Columns>
  class SellCompressed : public Sell<Number>
  {
  public:
    /// Takes ownership of a matrix, which may be assembled later. The vectors
    /// of the operator have `n_tail` tail entries. Throws what `values_changed`
    /// throws.
    SellCompressed(SellMatrix<Number> matrix, int n_tail,
                   SliceValues values = SliceValues::number);

    /// Rounds the values again if they are stored as float and Number is
    /// double, and waits for the result. Throws MatrixError if a finite value
    /// exceeds the largest float; the operator then keeps an infinite value in
    /// its place.
    void
    values_changed(Stream stream = {}) override;

    /// Returns the accuracy of float if values are rounded to float.
    Precision
    precision() const override;

    /// Compulsory bytes are x, y, the values without padding, and all data that
    /// is read to find the columns. Stored bytes are all data that a product
    /// reads, including padding; columns and values that the matrix keeps for
    /// other uses are not counted.
    Traffic
    traffic() const override;

    const Columns &
    columns() const
    {
      return fewer;
    }

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    /// True if values are rounded; values that are float already need no copy.
    bool
    rounds() const
    {
      return sizeof(Number) > sizeof(float) &&
             stored_as == SliceValues::single_float;
    }

    Columns fewer;
    SliceValues stored_as;
    Array<float> rounded; ///< [places], or empty if values are not rounded
    /// The number of finite values that exceed the largest float.
    Array<unsigned int> beyond;
  };

  /// Sliced ELLPACK with offsets of columns in as few bits as each line needs.
  template <class Number>
  using SellPacked = SellCompressed<Number, PackedColumns>;

  /// Sliced ELLPACK with 16-bit columns in all slices that allow it.
  template <class Number>
  using SellShort = SellCompressed<Number, ShortColumns>;
} // namespace tessera

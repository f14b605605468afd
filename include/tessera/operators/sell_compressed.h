#pragma once

#include <tessera/matrix/packed_columns.h>
#include <tessera/matrix/short_columns.h>
#include <tessera/operators/sell.h>

namespace tessera
{
  /// y = A x with sliced ELLPACK whose columns are stored in fewer bits, and by
  /// choice values rounded to float while x, y and sums stay of type Number.
  /// Columns: PackedColumns, of which each product reads 4 bytes a line of C
  /// entries and up to 4 an entry, for columns of neighbouring rows that are
  /// alike 0.2 to 1.3; or ShortColumns, 2 bytes an entry and 4 a slice,
  /// or a line, or 4 an entry where a slice reaches beyond 65536 columns. The
  /// matrix keeps its columns and values as they are, for assembly, elimination
  /// and smoothers.
  template <class Number, class Columns>
  class SellCompressed : public Sell<Number>
  {
  public:
    /// Takes over a matrix, assembled or not; `n_tail` is that of its vectors.
    /// Throws what `values_changed` throws.
    SellCompressed(SellMatrix<Number> matrix, int n_tail,
                   SliceValues values = SliceValues::number);

    /// "sell_packed" or "sell_short"
    std::string
    name() const override;

    /// Rounds the values again where they are stored in less than Number;
    /// waits for that. Throws MatrixError where one is finite and beyond the
    /// largest float; the operator keeps that infinite.
    void
    values_changed(Stream stream = {}) override;

    /// Of float where values are.
    Precision
    precision() const override;

    /// Compulsory: x, y, values without padding, and all that is read to find
    /// columns. Stored: what a product reads, padding included, not the
    /// columns and values that others use.
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
    /// Whether values are rounded, which float itself needs not be.
    bool
    rounds() const
    {
      return sizeof(Number) > sizeof(float) &&
             stored_as == SliceValues::single_float;
    }

    Columns fewer;
    SliceValues stored_as;
    Array<float> rounded;       ///< [places] or empty
    Array<unsigned int> beyond; ///< how many values float does not hold
  };

  /// Columns in as few bits as the gaps between them differ by.
  template <class Number>
  using SellPacked = SellCompressed<Number, PackedColumns>;

  /// Columns in 16 bits where slices allow.
  template <class Number>
  using SellShort = SellCompressed<Number, ShortColumns>;
} // namespace tessera

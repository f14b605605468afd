#pragma once

#include <tessera/operators/tile_operator.h>
#include <tessera/study/matrix/coo.h>

namespace tessera
{
  /// y = A x with a matrix in coordinate format, which stores a row, a column
  /// and a value for every entry (WongKuhlDarve2015, section 4, after Bell and
  /// Garland 2009). Products are formed entry by entry, and the products of a
  /// row are summed by a segmented reduction, so that rows of very different
  /// lengths balance.
  template <class Number>
  class Coo : public MatrixOperator<Number, CooMatrix, TileOperator>
  {
  public:
    /// Takes ownership of an assembled matrix. The vectors of the operator have
    /// `n_tail` tail entries.
    Coo(CooMatrix<Number> matrix, int n_tail);

    /// Returns the bytes of a product. If the matrix has empty rows, y is
    /// zeroed first; the host does this in an additional pass, which is
    /// counted.
    Traffic
    traffic() const override;

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;
  };
} // namespace tessera

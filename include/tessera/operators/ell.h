#pragma once

#include <tessera/matrix/ell.h>
#include <tessera/operators/row_operator.h>

namespace tessera
{
  /// y = A x with ELLPACK (RegulyGiles2015, section 7). On the device one
  /// thread multiplies a row, and neighbouring threads read neighbouring words.
  /// The lengths of rows are stored as well, so that a warp reads only as many
  /// columns as its longest row has.
  template <class Number>
  class Ell : public MatrixOperator<Number, EllMatrix>
  {
  public:
    /// Takes ownership of an assembled matrix. The vectors of the operator have
    /// `n_tail` tail entries. `name` is the operator's name in its descriptor;
    /// it tells how the matrix was assembled.
    Ell(EllMatrix<Number> matrix, int n_tail, const std::string &name = "ell");

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;
  };
} // namespace tessera

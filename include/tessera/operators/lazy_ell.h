#pragma once

#include <tessera/matrix/lazy_ell.h>
#include <tessera/operators/row_operator.h>

namespace tessera
{
  /// y = A x with lazy ELLPACK (RegulyGiles2015, section 7). The product is
  /// that of `Ell`: it adds up all entries of a row, so it does not matter that
  /// a column may occur several times.
  template <class Number>
  class LazyEll : public MatrixOperator<Number, LazyEllMatrix>
  {
  public:
    /// Takes ownership of a matrix. The vectors of the operator have `n_tail`
    /// tail entries.
    LazyEll(LazyEllMatrix<Number> matrix, int n_tail);

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;
  };
} // namespace tessera

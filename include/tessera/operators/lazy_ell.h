#pragma once

#include <tessera/matrix/lazy_ell.h>
#include <tessera/operators/row_operator.h>

namespace tessera
{
  /// y = A x with lazy ELLPACK (RegulyGiles2015, section 7). The product is
  /// that of `Ell`: it adds up all entries of a row, so it does not matter that
  /// a column may occur several times.
  template <class Number>
  class LazyEll : public RowOperator<Number>
  {
  public:
    /// Takes ownership of a matrix. The vectors of the operator have `n_tail`
    /// tail entries.
    LazyEll(LazyEllMatrix<Number> matrix, int n_tail);

    std::string
    name() const override
    {
      return "lazy_ell";
    }

    const LazyEllMatrix<Number> &
    matrix() const override
    {
      return lazy;
    }

    LazyEllMatrix<Number> &
    matrix() override
    {
      return lazy;
    }

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    LazyEllMatrix<Number> lazy;
  };
} // namespace tessera

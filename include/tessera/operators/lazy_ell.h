#pragma once

#include <tessera/matrix/lazy_ell.h>
#include <tessera/operators/row_operator.h>

namespace tessera
{
  /// y = A x with lazy ELLPACK (RegulyGiles2015, section 7): the product of
  /// `Ell`, which adds up what stands in a row, whether columns repeat or not.
  template <class Number>
  class LazyEll : public RowOperator<Number>
  {
  public:
    /// Takes over a matrix; `n_tail` is that of its vectors.
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

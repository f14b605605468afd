#pragma once

#include <tessera/base/grid_sum.h>
#include <tessera/matrix/row_matrix.h>
#include <tessera/operators/operator.h>

namespace tessera
{
  template <class Number>
  struct RowApply;

  /// An operator that stores an assembled matrix row by row and multiplies it
  /// without conflicts: every row has one writer. Repeatable.
  template <class Number>
  class RowOperator : public Operator<Number>
  {
  public:
    virtual const RowMatrix<Number> &
    matrix() const = 0;

    virtual RowMatrix<Number> &
    matrix() = 0;

    /// To be called after values of the matrix were changed: what the product
    /// reads instead of them is made again.
    virtual void
    values_changed(Stream = {})
    {}

    Backend
    backend() const override
    {
      return partial.backend();
    }

    int
    n_owned() const override
    {
      return matrix().n_rows();
    }

    int
    n_tail() const override
    {
      return tail;
    }

    void
    vmult(Vector<Number> &y, const Vector<Number> &x,
          const Epilogue<Number> &epilogue = {},
          Stream stream                    = {}) const override;

    void
    diagonal(Vector<Number> &d, Stream stream = {}) const override;

    Traffic
    traffic() const override;

    bool
    repeatable() const override
    {
      return true;
    }

  protected:
    /// `n_tail` is that of its vectors; the kernels leave `n_blocks` parts of a
    /// dot product.
    RowOperator(Backend backend, int n_tail, int n_blocks);

    /// Issues the kernel.
    virtual void
    launch_apply(const RowApply<Number> &apply, Stream stream) const = 0;

  private:
    int tail;
    int n_blocks;
    mutable Array<Number> partial;
    mutable Array<unsigned int> counter;
  };
} // namespace tessera

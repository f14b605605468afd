#pragma once

#include <tessera/matrix/hybrid.h>
#include <tessera/operators/row_operator.h>

namespace tessera
{
  /// y = A x with the hybrid of ELLPACK and a rest: on the device a thread a
  /// row for the part stored column by column, then some threads a row for the
  /// rest of the rows that have one, which add to y in a fixed order.
  template <class Number>
  class Hybrid : public RowOperator<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors.
    Hybrid(HybridMatrix<Number> matrix, int n_tail);

    std::string
    name() const override
    {
      return "hybrid";
    }

    const HybridMatrix<Number> &
    matrix() const override
    {
      return hybrid;
    }

    HybridMatrix<Number> &
    matrix() override
    {
      return hybrid;
    }

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    HybridMatrix<Number> hybrid;
  };
} // namespace tessera

#pragma once

#include <tessera/operators/options.h>
#include <tessera/operators/row_operator.h>
#include <tessera/study/matrix/hybrid.h>

namespace tessera
{
  /// The option `Hybrid width` of `hybrid`.
  const OptionSet &
  hybrid_options();

  /// y = A x with the hybrid format of an ELLPACK part and a rest. On the
  /// device, a first kernel multiplies the ELLPACK part with one thread per
  /// row; a second one takes the rows that have a rest, with several threads
  /// per row, and adds to y in a fixed order. On the host one loop does both.
  template <class Number>
  class Hybrid : public MatrixOperator<Number, HybridMatrix>
  {
  public:
    /// Takes ownership of an assembled matrix. The vectors of the operator have
    /// `n_tail` tail entries.
    Hybrid(HybridMatrix<Number> matrix, int n_tail);

    RecordValues
    layout_parameters() const override
    {
      return {{"width", std::int64_t(this->matrix().width())}};
    }

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;
  };
} // namespace tessera

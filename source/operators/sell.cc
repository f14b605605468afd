#include <tessera/operators/sell.h>

#include "sell_kernels.h"

namespace tessera
{
  namespace
  {
    /// The number of partial sums.
    template <class Number>
    int
    blocks(const SellMatrix<Number> &matrix)
    {
      return matrix.backend() == Backend::cuda
               ? sell_blocks(sell_lanes(matrix.n_slices(), matrix.log2_lanes()))
               : host_blocks(matrix.n_slices(), host_slices);
    }
  } // namespace

  template <class Number>
  Sell<Number>::Sell(SellMatrix<Number> matrix, const int n_tail)
    : RowOperator<Number>(matrix.backend(), n_tail, blocks(matrix)),
      sell(std::move(matrix))
  {}

  template <class Number>
  void
  Sell<Number>::launch_apply(const RowApply<Number> &apply,
                             const Stream stream) const
  {
    on_target(sell.backend(), [&](const auto target) {
      apply_sell(target,
                 SellApply<Number>{apply,
                                   sell.slices(),
                                   sell.most_log2_threads(),
                                   {sell.columns()},
                                   sell.values().data()},
                 stream);
    });
  }

  template class Sell<double>;
  template class Sell<float>;
} // namespace tessera

#include <tessera/base/error.h>
#include <tessera/operators/sell.h>

#include "sell_kernels.h"

namespace tessera
{
  namespace
  {
    /// The number of partial sums.
    template <class Number>
    int
    blocks(const SellMatrix<Number> &matrix, const int block)
    {
      return matrix.backend() == Backend::cuda
               ? sell_blocks(sell_lanes(matrix.n_slices(), matrix.log2_lanes()),
                             block)
               : host_blocks(matrix.n_slices(), host_slices);
    }
  } // namespace

  template <class Number>
  typename Sell<Number>::How
  Sell<Number>::make_how(const SellLaunch &launch, const int blocks)
  {
    if (blocks > 1 && (launch.block || !launch.read_only))
      throw ParameterError(
        "Slices of blocks are multiplied by the tuned "
        "launch; another one was asked for.");
    const int block = launch.block.value_or(tuning::sell_threads);
    if (block < 32 || block > 256 || block % 32 != 0)
      throw ParameterError("The block size of sliced ELLPACK was given as " +
                           std::to_string(block) +
                           "; legal are multiples of 32 from 32 to 256.");
    if (!launch.read_only && block != tuning::sell_threads)
      throw ParameterError("Plain loads of x were asked for in blocks of " +
                           std::to_string(block) + " threads; legal is " +
                           std::to_string(tuning::sell_threads) + '.');
    return {block, launch.read_only};
  }

  template <class Number>
  Sell<Number>::Sell(SellMatrix<Number> matrix, const int n_tail,
                     const SellLaunch &launch)
    : Sell(std::move(matrix), n_tail, make_how(launch, matrix.blocks().size))
  {}

  template <class Number>
  Sell<Number>::Sell(SellMatrix<Number> &&matrix, const int n_tail,
                     const How &how)
    : RowOperator<Number>(matrix.backend(), n_tail, blocks(matrix, how.block)),
      sell(std::move(matrix)), how(how)
  {}

  template <class Number>
  void
  Sell<Number>::launch_apply(const RowApply<Number> &apply,
                             const Stream stream) const
  {
    const auto go = [&](const auto columns) {
      using Columns = std::remove_const_t<decltype(columns)>;
      on_target(sell.backend(), [&](const auto target) {
        apply_sell(target,
                   SellApply<Number, Columns>{
                     apply, sell.slices(), sell.most_log2_threads(), columns,
                     sell.values().data(), this->n_owned() + this->n_tail() - 1,
                     has_many<SellColumns>(sell), how.block, how.read_only},
                   stream);
      });
    };
    switch (sell.blocks().size)
      {
        case 1:
          return go(SellColumns{sell.columns()});
        case 2:
          return go(SellBlocks<2>{sell.columns()});
        default:
          return go(SellBlocks<3>{sell.columns()});
      }
  }

  template class Sell<double>;
  template class Sell<float>;
} // namespace tessera

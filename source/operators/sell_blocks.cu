#include <tessera/base/launch.h>
#include <tessera/base/on_constant.h>

#include "row_operator.cuh"
#include "sell_columns.cuh"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::sell_threads;

    /// y = A x or y += A x for rows of b x b blocks in slices, and the sum
    /// x . A x if requested.
    ///
    /// One thread works on a lane, which has a row of blocks, and so forms b
    /// entries of y. It loads `ahead` blocks and their columns, each once and
    /// coalesced, before the reads of x; every entry of x that it reads serves
    /// b entries of y. Beyond its end a lane adds 0 times the x of its own row,
    /// as padding does. The order of additions is fixed, so the result is
    /// repeatable.
    ///
    /// Bytes per row of blocks in double: 8 b^2 + 4 for each block, 4 for its
    /// length, 4 for its place if rows are sorted, 16 b for x and y. Per slice:
    /// 13.
    template <int b, class Number>
    TESSERA_KERNEL(threads, tuning::sell_of_blocks_blocks)
    void sell_of_blocks(TESSERA_ARGUMENT(SellBlocksApply<Number>) apply)
    {
      constexpr int ahead      = tuning::sell_of_blocks_ahead / (b * b);
      const SellSlices &slices = apply.slices;
      const std::int64_t step  = 1 << slices.log2_lanes;
      const std::int64_t n_lanes =
        sell_lanes(slices.n_slices, slices.log2_lanes);
      double energy = 0;
      for (std::int64_t lane =
             static_cast<std::int64_t>(threads) * device::block_index() +
             device::thread_index();
           lane < n_lanes;
           lane += static_cast<std::int64_t>(threads) * device::n_blocks())
        {
          const Part part          = find_part(slices, lane);
          const int *const columns = apply.columns + part.place;
          const Number *const from = apply.values + part.in_slice +
                                     (part.place - part.in_slice) * (b * b);
          Number sum[b] = {};
          for (int first = 0; first < part.n; first += ahead)
            {
              Number value[ahead][b][b];
              int column[ahead];
              TESSERA_UNROLL
              for (int a = 0; a < ahead; ++a)
                {
                  const bool inside = first + a < part.n;
                  column[a] =
                    inside ? device::load_once(columns + (first + a) * step)
                           : part.row;
                  const Number *const block =
                    from + (first + a) * step * (b * b);
                  TESSERA_UNROLL
                  for (int j = 0; j < b; ++j)
                    TESSERA_UNROLL
                  for (int i = 0; i < b; ++i)
                    value[a][j][i] =
                      inside ? device::load_once(block + (j * b + i) * step)
                             : Number(0);
                }
              TESSERA_UNROLL
              for (int a = 0; a < ahead; ++a)
                TESSERA_UNROLL
              for (int j = 0; j < b; ++j)
                {
                  const Number x = read_only(apply.rows.x + column[a] * b + j);
                  TESSERA_UNROLL
                  for (int i = 0; i < b; ++i)
                    sum[i] += value[a][j][i] * x;
                }
            }
          if (part.row >= 0)
            for (int i = 0; i < b; ++i)
              energy += finish_product(
                apply.rows, static_cast<std::int64_t>(part.row) * b + i,
                sum[i]);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }
  } // namespace

  template <class Number>
  void
  apply_sell_blocks(Cuda, const SellBlocksApply<Number> &apply,
                    const Stream stream)
  {
    const std::int64_t n_lanes =
      sell_lanes(apply.slices.n_slices, apply.slices.log2_lanes);
    on_constant<2, 3>(apply.b, [&](const auto b) {
      launch(sell_of_blocks<decltype(b)::value, Number>,
             {sell_blocks(n_lanes, threads), threads}, stream, apply);
    });
  }

  template void
  apply_sell_blocks(Cuda, const SellBlocksApply<double> &, Stream);
  template void
  apply_sell_blocks(Cuda, const SellBlocksApply<float> &, Stream);
} // namespace tessera

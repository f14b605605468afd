#include <tessera/base/launch.h>

#include "row_operator.cuh"
#include "sell_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::sell_threads;
    constexpr int ahead   = tuning::sell_ahead;

    /// What a thread has of a row.
    struct Part
    {
      int row            = -1; ///< none
      int n_lanes        = 1;
      int n              = 0; ///< entries
      bool first         = false;
      std::int64_t place = 0;
    };

    template <class Number>
    TESSERA_DEVICE Part
    find_part(const SellApply<Number> &apply, const std::int64_t lane)
    {
      Part part;
      if (lane >= sell_lanes(apply.n_slices, apply.log2_lanes))
        return part;
      const std::int64_t slice = lane >> apply.log2_lanes;
      const int in_slice = static_cast<int>(lane - (slice << apply.log2_lanes));
      const int log2     = read_only(apply.log2_threads + slice);
      const int sorted =
        read_only(apply.slice_rows + slice) + (in_slice >> log2);
      if (sorted >= read_only(apply.slice_rows + slice + 1))
        return part;
      part.row       = apply.permutation != nullptr
                         ? read_only(apply.permutation + sorted)
                         : sorted;
      part.n_lanes   = 1 << log2;
      const int mine = in_slice & (part.n_lanes - 1);
      part.n =
        (read_only(apply.lengths + part.row) - mine + part.n_lanes - 1) >> log2;
      part.first = mine == 0;
      part.place = read_only(apply.slice_start + slice) + in_slice;
      return part;
    }

    /// A thread takes a lane of a slice. Values and columns are read once,
    /// coalesced, and go ahead of the reads of x; beyond its end a lane adds 0
    /// times its row's own x, as padding does. Whole warps meet at the
    /// shuffles, which sum lanes of a row in a fixed order.
    /// Bytes a row: 12 a nonzero, 4 for its length, 4 for its place if it is
    /// sorted, 16 for x and y; a slice 13.
    template <class Number>
    TESSERA_KERNEL(threads, tuning::sell_blocks)
    void sell(TESSERA_ARGUMENT(SellApply<Number>) apply)
    {
      const std::int64_t n_lanes =
        (sell_lanes(apply.n_slices, apply.log2_lanes) + 31) / 32 * 32;
      const int step = 1 << apply.log2_lanes;
      Number energy  = Number(0);
      for (std::int64_t lane =
             static_cast<std::int64_t>(threads) * device::block_index() +
             device::thread_index();
           lane < n_lanes;
           lane += static_cast<std::int64_t>(threads) * device::n_blocks())
        {
          const Part part = find_part(apply, lane);
          Number sum      = Number(0);
          for (int first = 0; first < part.n; first += ahead)
            {
              Number value[ahead];
              int column[ahead];
              TESSERA_UNROLL
              for (int a = 0; a < ahead; ++a)
                {
                  const bool inside = first + a < part.n;
                  const std::int64_t place =
                    part.place + static_cast<std::int64_t>(first + a) * step;
                  value[a]  = inside ? device::load_once(apply.values + place)
                                     : Number(0);
                  column[a] = inside ? device::load_once(apply.columns + place)
                                     : part.row;
                }
              TESSERA_UNROLL
              for (int a = 0; a < ahead; ++a)
                sum += value[a] * read_only(apply.rows.x + column[a]);
            }
          for (int offset = (1 << apply.most_log2_threads) / 2; offset > 0;
               offset /= 2)
            {
              const Number other = device::shuffle_down(sum, offset);
              if (offset < part.n_lanes)
                sum += other;
            }
          if (part.first)
            energy += finish_product(apply.rows, part.row, sum);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }
  } // namespace

  int
  sell_blocks(const std::int64_t n_lanes)
  {
    return row_blocks(n_lanes, threads);
  }

  template <class Number>
  void
  apply_sell(Cuda, const SellApply<Number> &apply, const Stream stream)
  {
    launch(sell<Number>,
           {sell_blocks(sell_lanes(apply.n_slices, apply.log2_lanes)), threads},
           stream, apply);
  }

  template void
  apply_sell<double>(Cuda, const SellApply<double> &, Stream);
  template void
  apply_sell<float>(Cuda, const SellApply<float> &, Stream);
} // namespace tessera

#include <tessera/base/launch.h>

#include <type_traits>

#include "gather.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 64, warps = threads / 32;

    /// Entries of a row that are summed up at a time: all of a structured mesh,
    /// as far as shared memory goes.
    template <class E>
    constexpr int window = E::simplex ? (E::degree == 1 ? 16 : 40)
                           : E::dim == 2
                             ? (2 * E::degree + 1) * (2 * E::degree + 1)
                           : E::degree == 1 ? 27
                                            : 81;

    /// Rows of a warp: sums in shared memory, [size][stride], and lengths.
    template <int size, class Number>
    struct WarpRows
    {
      static constexpr int stride = 33; // without conflicts both ways
      Number *sums;
      int *lengths; ///< [32]
      int lane;

      TESSERA_DEVICE Number &
      sum(const int k, const int r) const
      {
        return sums[k * stride + r];
      }

      /// Whole rows that follow one another, as one piece.
      TESSERA_DEVICE void
      write_flat(Number *const to) const
      {
        int r = 0, k = lane;
        for (int place = lane;; place += 32, k += 32)
          {
            while (r < 32 && k >= lengths[r])
              k -= lengths[r++];
            if (r == 32)
              return;
            to[place] = sum(k, r);
          }
      }

      /// Entries from `begin` on, a row a lane.
      TESSERA_DEVICE void
      write_columns(const SlotSink<Number> &sink, const int first,
                    const int begin) const
      {
        const int length = lengths[lane];
        TESSERA_ROLLED
        for (int k = 0; k < size && begin + k < length; ++k)
          sink.values[sink.rows.position(first + lane, begin + k)] =
            sum(k, lane);
      }

      /// Entries from `begin` on, row by row.
      TESSERA_DEVICE void
      write_rows(const SlotSink<Number> &sink, const int first,
                 const int begin) const
      {
        TESSERA_ROLLED
        for (int r = 0; r < 32; ++r)
          for (int k = lane; k < size && begin + k < lengths[r]; k += 32)
            sink.values[sink.rows.position(first + r, begin + k)] = sum(k, r);
      }
    };

    /// A row a thread; the sums are then written by the warp, where `columns`
    /// is set those of neighbouring rows side by side.
    template <class E, bool columns, class Slot, class Number>
    TESSERA_KERNEL(threads, 1)
    void gather(TESSERA_ARGUMENT(GatherRows<Number>) in, const Slot *slots,
                const bool flat)
    {
      constexpr int size = window<E>;
      using Rows         = WarpRows<size, Number>;
      TESSERA_SHARED Number sums[warps * size * Rows::stride];
      TESSERA_SHARED int lengths[threads];
      const int thread = device::thread_index(), warp = thread / 32;
      const Rows rows{sums + warp * size * Rows::stride, lengths + 32 * warp,
                      thread % 32};
      const std::int64_t first =
        32 * (static_cast<std::int64_t>(device::block_index()) * warps + warp);
      if (first >= in.sink.n_rows)
        return;
      const std::int64_t row = first + rows.lane;
      int longest            = 1;
      for (int begin = 0; begin < longest; begin += size)
        {
          for (int k = 0; k < size; ++k)
            rows.sum(k, rows.lane) = Number(0);
          int length = 0;
          if (row < in.sink.n_rows)
            for_each_contribution<E, 32>(
              in, slots, static_cast<int>(row),
              [&](const int slot, const Number value) {
                length      = slot >= length ? slot + 1 : length;
                const int k = slot - begin;
                if (k >= 0 && k < size)
                  rows.sum(k, rows.lane) += value;
              });
          lengths[thread] = length;
          longest         = static_cast<int>(
            0x7fffffffu - device::warp_minimum(0x7fffffffu - length));
          device::warp_synchronize();
          if constexpr (columns)
            rows.write_columns(in.sink, static_cast<int>(first), begin);
          else if (flat && longest <= size)
            rows.write_flat(in.sink.values + in.sink.rows.base(first));
          else
            rows.write_rows(in.sink, static_cast<int>(first), begin);
          device::warp_synchronize();
        }
    }
  } // namespace


  template <class E, class Number>
  void
  gather_rows(Cuda, const GatherRows<Number> &rows, const Stream stream)
  {
    const auto launch_with = [&](const auto *slots) {
      using Slot = std::remove_const_t<std::remove_pointer_t<decltype(slots)>>;
      launch(rows.sink.rows.side_by_side() ? gather<E, true, Slot, Number>
                                           : gather<E, false, Slot, Number>,
             {(rows.sink.n_rows + threads - 1) / threads, threads}, stream,
             rows, slots, rows.sink.rows.follow_one_another());
    };
    if (rows.sink.slots_8 != nullptr)
      launch_with(rows.sink.slots_8);
    else
      launch_with(rows.sink.slots_16);
  }


#define INSTANTIATE(E, Number)                                           \
  template void gather_rows<E, Number>(Cuda, const GatherRows<Number> &, \
                                       Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

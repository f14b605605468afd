#include <tessera/base/launch.h>

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

    /// A row a thread; sums stand in shared memory and are then written row by
    /// row by the warp.
    template <class E, class Number>
    TESSERA_KERNEL(threads, 1)
    void gather(TESSERA_ARGUMENT(GatherRows<Number>) in)
    {
      constexpr int size = window<E>, stride = 33;
      TESSERA_SHARED Number sums[warps * size * stride];
      TESSERA_SHARED int lengths[threads];
      const int thread = device::thread_index(), lane = thread % 32;
      Number *const of_warp = sums + thread / 32 * size * stride;
      const std::int64_t first =
        (static_cast<std::int64_t>(device::block_index()) * warps +
         thread / 32) *
        32;
      const std::int64_t row = first + lane;
      int longest            = 1;
      for (int begin = 0; begin < longest; begin += size)
        {
          for (int k = 0; k < size; ++k)
            of_warp[k * stride + lane] = Number(0);
          int length = 0;
          if (row < in.sink.n_rows)
            for_each_contribution<E, 32>(
              in, static_cast<int>(row),
              [&](const int slot, const Number value) {
                length      = slot >= length ? slot + 1 : length;
                const int k = slot - begin;
                if (k >= 0 && k < size)
                  of_warp[k * stride + lane] += value;
              });
          lengths[thread] = length;
          longest         = static_cast<int>(
            0x7fffffffu - device::warp_minimum(0x7fffffffu - length));
          device::warp_synchronize();
          TESSERA_ROLLED
          for (int r = 0; r < 32 && first + r < in.sink.n_rows; ++r)
            {
              const int end = lengths[thread - lane + r] - begin;
              for (int k = lane; k < end && k < size; k += 32)
                in.sink.values[in.sink.rows.position(
                  static_cast<int>(first + r), begin + k)] =
                  of_warp[k * stride + r];
            }
          device::warp_synchronize();
        }
    }
  } // namespace


  template <class E, class Number>
  void
  gather_rows(Cuda, const GatherRows<Number> &rows, const Stream stream)
  {
    launch(gather<E, Number>,
           {(rows.sink.n_rows + threads - 1) / threads, threads}, stream, rows);
  }


#define INSTANTIATE(E, Number)                                           \
  template void gather_rows<E, Number>(Cuda, const GatherRows<Number> &, \
                                       Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

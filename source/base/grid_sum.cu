#include <tessera/base/launch.h>

namespace tessera
{
  namespace
  {
    constexpr int threads = 256;

    /// Adds up sum.partial[0], ..., sum.partial[n_blocks - 1] into *sum.result.
    /// Every thread adds a strided part, and `grid_sum` adds up the threads;
    /// the order is fixed, so the result is the same in every run. Reads one
    /// number per summing block. The blocks of this kernel keep their own
    /// partial sums behind those of `sum`.
    template <class Number>
    TESSERA_KERNEL(threads, 1)
    void finish(TESSERA_ARGUMENT(GridSum<Number>) sum,
                TESSERA_ARGUMENT(GridSum<Number>) of_finishers)
    {
      Number mine = Number(0);
      TESSERA_UNROLL_BY(4)
      for (int k = device::block_index() * threads + device::thread_index();
           k < sum.n_blocks; k += of_finishers.n_blocks * threads)
        mine += sum.partial[k];
      device::grid_sum<threads>(mine, device::block_index(), of_finishers);
    }
  } // namespace


  template <class Number>
  void
  finish_sum(const GridSum<Number> &sum, const Stream stream)
  {
    const int needed = sum.n_blocks / (4 * threads) + 1;
    const int n      = needed < GridSum<Number>::max_finishers
                         ? needed
                         : GridSum<Number>::max_finishers;
    launch(
      finish<Number>, {n, threads}, stream, sum,
      GridSum<Number>{sum.partial + sum.n_blocks, sum.counter, sum.result, n});
  }


  template void
  finish_sum(const GridSum<double> &, Stream);
  template void
  finish_sum(const GridSum<float> &, Stream);
} // namespace tessera

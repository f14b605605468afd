#include <tessera/base/grid_sums.cuh>
#include <tessera/base/launch.h>

namespace tessera
{
  namespace
  {
    constexpr int threads = 256;

    /// Adds up sum.partial[0], ..., sum.partial[n_blocks - 1] into *sum.result.
    /// Every thread adds a strided part, and `grid_sums` adds up the threads;
    /// the order is fixed, so the result is the same in every run. Reads one
    /// number per summing block. The blocks of this kernel keep their own
    /// partial sums behind the ones of `sum`.
    TESSERA_KERNEL(threads, 1)
    void
    finish(TESSERA_ARGUMENT(GridSum) sum,
           TESSERA_ARGUMENT(GridSum) of_finishers)
    {
      double mine = 0;
      TESSERA_UNROLL_BY(4)
      for (int k = device::block_index() * threads + device::thread_index();
           k < sum.n_blocks; k += of_finishers.n_blocks * threads)
        mine += sum.partial[k];
      double values[] = {mine};
      device::grid_sums<threads>(values, device::block_index(), of_finishers);
    }
  } // namespace


  void
  finish_sum(const GridSum &sum, const Stream stream)
  {
    const int needed = sum.n_blocks / (4 * threads) + 1;
    const int n =
      needed < GridSum::max_finishers ? needed : GridSum::max_finishers;
    launch(finish, {n, threads}, stream, sum,
           GridSum{sum.partial + sum.n_blocks, sum.counter, sum.result, n});
  }
} // namespace tessera

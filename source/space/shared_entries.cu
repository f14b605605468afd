#include <tessera/base/launch.h>

#include "shared_entries_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128, warps = threads / 32;

    /// A range a warp.
    template <class Number>
    TESSERA_KERNEL(threads, 1)
    void clear(Number *y, const int *ranges, const int n)
    {
      const int k = device::block_index() * warps + device::thread_index() / 32;
      if (k >= n)
        return;
      const int end = ranges[2 * k + 1];
      for (int i = ranges[2 * k] + device::thread_index() % 32; i < end;
           i += 32)
        y[i] = Number(0);
    }
  } // namespace


  template <class Number>
  void
  clear_ranges(Number *y, const int *ranges, const int n, const Stream stream)
  {
    launch(clear<Number>, {(n + warps - 1) / warps, threads}, stream, y, ranges,
           n);
  }


  template void
  clear_ranges(double *, const int *, int, Stream);
  template void
  clear_ranges(float *, const int *, int, Stream);
} // namespace tessera

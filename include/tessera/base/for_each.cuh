#pragma once

#include <tessera/base/for_each.h>
#include <tessera/base/global_thread.cuh>
#include <tessera/base/grid_sums.cuh>

// The kernels behind base/for_each.h. A file <stem>.cu instantiates them for
// its functors by the macros below.

/// Instantiates the kernel of `for_each` for a functor.
#define TESSERA_FOR_EACH(...) \
  template void for_each_on_device(std::int64_t, const __VA_ARGS__ &, Stream);

/// Instantiates the kernel of `pass_over` for a functor.
#define TESSERA_PASS_OVER(...)                                         \
  template void pass_over_on_device(std::int64_t, const __VA_ARGS__ &, \
                                    const GridSum &, Stream);

namespace tessera
{
  /// One thread per entry.
  template <class Entry>
  TESSERA_KERNEL(pass_threads)
  void each_entry(TESSERA_ARGUMENT(Entry) entry, const std::int64_t n)
  {
    const std::int64_t i = global_thread<pass_threads>();
    if (i < n)
      entry(i);
  }

  template <class Entry>
  void
  for_each_on_device(const std::int64_t n, const Entry &entry,
                     const Stream stream)
  {
    launch(each_entry<Entry>, shape_of_threads<pass_threads>(n), stream, entry,
           n);
  }

  /// A thread works on entries that are a grid apart. All blocks compute the
  /// same scalars, because nothing overwrites their input before the last block
  /// has come to the end. Sums are repeatable.
  template <class Work>
  TESSERA_KERNEL(pass_threads, 4)
  void run_pass(TESSERA_ARGUMENT(Work) work, const std::int64_t n,
                TESSERA_ARGUMENT(GridSum) sums)
  {
    const auto scalars = [&]() {
      if constexpr (Work::adds_product)
        return work.begin(device::whole_sum<pass_threads>(work.product));
      else
        return work.begin();
    }();
    bool last = false;
    if (!scalars.idle)
      {
        double mine[Work::n_sums + 1] = {};
        const std::int64_t stride =
          static_cast<std::int64_t>(device::n_blocks()) * pass_threads;
        for (std::int64_t i = global_thread<pass_threads>(); i < n; i += stride)
          {
            work(i, scalars);
            TESSERA_UNROLL
            for (int k = 0; k < Work::n_sums; ++k)
              mine[k] += work.share(k, i);
          }
        if constexpr (Work::n_sums > 0)
          {
            double values[Work::n_sums];
            TESSERA_UNROLL
            for (int k = 0; k < Work::n_sums; ++k)
              values[k] = mine[k];
            last = device::grid_sums<pass_threads>(values,
                                                   device::block_index(), sums);
          }
      }
    if constexpr (Work::ends)
      {
        if (Work::n_sums == 0 || scalars.idle)
          {
            device::barrier();
            last = device::arrives_last(sums.counter, sums.n_blocks);
          }
        if (last && device::thread_index() == 0)
          work.end(scalars);
      }
  }

  template <class Work>
  void
  pass_over_on_device(const std::int64_t n, const Work &work,
                      const GridSum &sums, const Stream stream)
  {
    launch(run_pass<Work>, {sums.n_blocks, pass_threads}, stream, work, n,
           sums);
  }
} // namespace tessera

#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/grid_sum.h>

#include <cstdint>

// Loops over the entries of vectors and the items of lists. The work on an
// entry is written once, for both backends, as a functor in a header beside its
// source. The host's loops are here; the device's kernels are in
// base/for_each.cuh, which <stem>.cu instantiates for the functors.
//
// The host's loops are compiled once and not for each instruction set, because
// memory limits them: vectors of 10^7 entries take as long with SSE2 as with
// AVX-512.
namespace tessera
{
  /// On the host, one thread works on loops over at most this many
  /// entries. They take about 10 microseconds, as long as two threads
  /// need to start and to wait for each other; and if another program
  /// occupies a core, every wait may last until the scheduler frees it.
  /// Teams between one and all threads do not pay, because GCC's OpenMP
  /// ends the threads that a smaller team does not need and creates new
  /// ones later.
  constexpr std::int64_t entries_of_one_thread = 16384;

  template <class Entry>
  void
  for_each_on_device(std::int64_t n, const Entry &entry, Stream stream);

  /// Calls `entry(i)` for all i in [0, n), in any order; calls must not depend
  /// on each other. On the device there is one thread per entry, and the call
  /// does not wait for them.
  template <class Entry>
  void
  for_each(const Backend backend, const std::int64_t n, const Entry entry,
           const Stream stream = {})
  {
    if (backend == Backend::cuda)
      return for_each_on_device(n, entry, stream);
#pragma omp parallel for simd schedule(static) \
  firstprivate(entry) if (parallel             \
                          : n > entries_of_one_thread)
    for (std::int64_t i = 0; i < n; ++i)
      entry(i);
  }

  /// The threads of a block of `pass_over`.
  constexpr int pass_threads = 256;

  /// The largest number of blocks of `pass_over` on the device: they fill the
  /// 132 multiprocessors of an H200 with 1024 threads each, which leaves 64
  /// registers per thread.
  constexpr std::int64_t max_pass_blocks = 132 * 4;

  /// The entries of a block of `pass_over` on the host. Their number does not
  /// depend on the number of threads, so that sums are repeatable.
  constexpr std::int64_t pass_entries = 4096;

  /// Returns the number of blocks for `n` entries, which is at least one.
  inline int
  pass_blocks(const Backend backend, const std::int64_t n)
  {
    const bool host           = backend == Backend::host;
    const std::int64_t items  = host ? pass_entries : pass_threads;
    const std::int64_t needed = n > 0 ? (n - 1) / items + 1 : 1;
    return static_cast<int>(host || needed < max_pass_blocks ? needed
                                                             : max_pass_blocks);
  }

  /// A functor for `pass_over` is derived from this class and has
  ///   void operator()(i, scalars) const    which works on entry i, and
  ///   double share(k, i) const             which returns what this entry, once
  ///                                        worked on, adds to sum k < n_sums.
  /// It redefines the members below whose defaults do not suit it.
  struct Pass
  {
    static constexpr int n_sums = 0;

    /// Values that all entries use; `begin` computes them from backend memory.
    struct Scalars
    {
      /// If true, entries and sums are left as they are.
      static constexpr bool idle = false;
    };

    TESSERA_HOST_DEVICE Scalars
    begin() const
    {
      return {};
    }

    TESSERA_HOST_DEVICE double
    share(int, std::int64_t) const
    {
      return 0;
    }

    /// True if `begin` has an argument: the sum `product`, a GridSum of a
    /// product before, which the blocks add up in its order if its n_blocks is
    /// not 0; otherwise it stands in *product.result.
    static constexpr bool adds_product = false;

    /// True if `end(scalars)` is called after all blocks have called `begin`,
    /// also in idle passes. `end` may overwrite the values that `begin` reads.
    static constexpr bool ends = false;
  };

  template <class Work>
  void
  pass_over_on_device(std::int64_t n, const Work &work, const GridSum &sums,
                      Stream stream);

  /// Lets `work`, a Pass, work on all i in [0, n) and stores its sums in
  /// sums.result; `sums` has `pass_blocks` blocks. Sums repeat their bits:
  /// entries of a block, then blocks, are added in a fixed order. On the device
  /// a thread works on entries that are a grid apart, and the call does not
  /// wait for the kernel.
  template <class Work>
  void
  pass_over(const Backend backend, const std::int64_t n, const Work work,
            const GridSum &sums, const Stream stream)
  {
    if (backend == Backend::cuda)
      return pass_over_on_device(n, work, sums, stream);
    static_assert(Work::n_sums <= 3, "the loop below has three sums");
    const auto scalars = [&]() {
      if constexpr (Work::adds_product)
        return work.begin(*work.product.result);
      else
        return work.begin();
    }();
    const int n_blocks = scalars.idle ? 0 : sums.n_blocks;
#pragma omp parallel for schedule(static) \
  firstprivate(work, scalars) if (n > entries_of_one_thread)
    for (int b = 0; b < n_blocks; ++b)
      {
        const std::int64_t first = b * pass_entries;
        const std::int64_t last =
          n - first < pass_entries ? n : first + pass_entries;
        double sum_0 = 0, sum_1 = 0, sum_2 = 0;
#pragma omp simd reduction(+ : sum_0, sum_1, sum_2)
        for (std::int64_t i = first; i < last; ++i)
          {
            work(i, scalars);
            if constexpr (Work::n_sums > 0)
              sum_0 += work.share(0, i);
            if constexpr (Work::n_sums > 1)
              sum_1 += work.share(1, i);
            if constexpr (Work::n_sums > 2)
              sum_2 += work.share(2, i);
          }
        const double of_block[] = {sum_0, sum_1, sum_2};
        for (int k = 0; k < Work::n_sums; ++k)
          sums.partial[std::int64_t(k) * sums.n_blocks + b] = of_block[k];
      }
    if (!scalars.idle)
      finish_sums_on_host(sums, Work::n_sums);
    if constexpr (Work::ends)
      work.end(scalars);
  }
} // namespace tessera

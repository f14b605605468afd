#pragma once

#include <tessera/base/device.cuh>
#include <tessera/base/grid_sum.h>

#include <cstdint>

// Sums over all threads of a grid, several at once: a block waits for memory
// and for the counter once, however many there are.
namespace tessera::device
{
  /// Returns in thread k < n the sum of `values[k]` over a block; other threads
  /// get 0. The block has `threads` threads, a multiple of 32. The order of
  /// additions is fixed. All threads take part.
  template <int threads, int n, class Number>
  TESSERA_DEVICE Number
  block_sums(Number (&values)[n])
  {
    static_assert(n <= 32, "one lane of a warp for each sum");
    TESSERA_SHARED Number of_warp[n][threads / 32];
    for (int offset = 16; offset > 0; offset /= 2)
      TESSERA_UNROLL
    for (int k = 0; k < n; ++k)
      values[k] += shuffle_down(values[k], offset);
    if (thread_index() % 32 == 0)
      TESSERA_UNROLL
    for (int k = 0; k < n; ++k)
      of_warp[k][thread_index() / 32] = values[k];
    barrier();
    Number sum = Number(0);
    if (thread_index() < n)
      for (int warp = 0; warp < threads / 32; ++warp)
        sum += of_warp[thread_index()][warp];
    barrier();
    return sum;
  }

  /// Returns in all threads a sum whose blocks left their parts (`leave_sum`),
  /// added up in the order of `finish_sum`; *where.result if n_blocks is 0.
  template <int threads>
  TESSERA_DEVICE double
  whole_sum(const GridSum &where)
  {
    if (where.n_blocks == 0)
      return *where.result;
    TESSERA_SHARED double whole;
    double parts[] = {0.};
    TESSERA_UNROLL_BY(4)
    for (int b = thread_index(); b < where.n_blocks; b += threads)
      parts[0] += where.partial[b];
    const double sum = block_sums<threads>(parts);
    if (thread_index() == 0)
      whole = sum;
    barrier();
    return whole;
  }

  /// Returns true in all threads of the last of `n_blocks` blocks to arrive
  /// here, which then sees what the first warps of all blocks wrote before.
  /// *counter is 0 before and after. All threads take part.
  TESSERA_DEVICE bool
  arrives_last(unsigned int *const counter, const int n_blocks)
  {
    TESSERA_SHARED bool last;
    warp_synchronize();
    if (thread_index() == 0)
      {
        fence();
        last =
          atomic_increment(counter) + 1 == static_cast<unsigned int>(n_blocks);
        if (last)
          *counter = 0;
      }
    barrier();
    if (last)
      fence();
    return last;
  }

  /// Sets where.result[k] to the sum of `values[k]` over all threads of all
  /// blocks. `block` in [0, n_blocks) is the place of this block's sums in
  /// where.partial, [n][n_blocks]. The last block to arrive, where the function
  /// returns true, adds the partial sums in the order of their places, so that
  /// results are the same in every run; its first warp may read them. All
  /// threads of a block take part.
  template <int threads, int n>
  TESSERA_DEVICE bool
  grid_sums(double (&values)[n], const int block, const GridSum where)
  {
    const int k = thread_index(), n_blocks = where.n_blocks;
    double sum = block_sums<threads>(values);
    if (n_blocks > 1)
      {
        if (k < n)
          where.partial[static_cast<std::int64_t>(k) * n_blocks + block] = sum;
        if (!arrives_last(where.counter, n_blocks))
          return false;
        double parts[n] = {};
        for (int b = thread_index(); b < n_blocks; b += threads)
          TESSERA_UNROLL
        for (int part = 0; part < n; ++part)
          parts[part] += static_cast<volatile double *>(
            where.partial)[static_cast<std::int64_t>(part) * n_blocks + b];
        sum = block_sums<threads>(parts);
      }
    if (k < n)
      where.result[k] = sum;
    warp_synchronize();
    return true;
  }
} // namespace tessera::device

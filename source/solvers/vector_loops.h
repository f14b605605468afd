#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/grid_sum.h>

#include <cstdint>

// Defines how host kernels loop over the entries of vectors.
namespace tessera
{
  /// The number of entries whose sum is formed separately. It does not depend
  /// on the number of threads, so that sums are repeatable.
  constexpr std::int64_t entries_per_block = 4096;

  TESSERA_HOST int
  blocks_of_entries(const std::int64_t n)
  {
    return static_cast<int>(n > 0 ? (n - 1) / entries_per_block + 1 : 1);
  }

  TESSERA_HOST std::int64_t
  end_of_block(const std::int64_t n, const int block)
  {
    const std::int64_t end = (block + 1) * entries_per_block;
    return end < n ? end : n;
  }

  /// Calls `block(first, last, sums)` for all blocks of `n` entries; `sums`
  /// points to n_sums zeros, to which the call adds. The sums of the blocks are
  /// then added in the order of the blocks.
  template <class Target, int n_sums, class Number, class Block>
  void
  sum_over_blocks(Target, const std::int64_t n,
                  const GridSum<Number> (&totals)[n_sums], const Block &block)
  {
    const int n_blocks = totals[0].n_blocks;
#pragma omp parallel for schedule(static)
    for (int b = 0; b < n_blocks; ++b)
      {
        Number sums[n_sums] = {};
        block(b * entries_per_block, end_of_block(n, b), sums);
        for (int k = 0; k < n_sums; ++k)
          totals[k].partial[b] = sums[k];
      }
    for (const GridSum<Number> &sum : totals)
      {
        Number total = 0;
        for (int b = 0; b < n_blocks; ++b)
          total += sum.partial[b];
        *sum.result = total;
      }
  }
} // namespace tessera

#pragma once

#include <tessera/base/backend.h>

namespace tessera
{
  /// The memory in which the blocks of one or several launches compute a common
  /// sum: one partial sum per block, a counter of blocks that have finished (it
  /// is 0 between sums), and the result.
  template <class Number>
  struct GridSum
  {
    /// The largest number of blocks that `finish_sum` launches. Their partial
    /// sums are stored behind those of the summing blocks.
    static constexpr int max_finishers = 64;

    Number *partial; ///< [n_partials(n_blocks)]
    unsigned int *counter;
    Number *result;
    int n_blocks; ///< blocks of all launches together

    static int
    n_partials(const int n_blocks)
    {
      return n_blocks + max_finishers;
    }
  };

  /// Adds up on the device the partial sums that all blocks have left and
  /// stores the total in *sum.result. The order of additions is the same in
  /// every run. Needs two small passes: at most `max_finishers` blocks read the
  /// partial sums, and the last of them adds up their results.
  template <class Number>
  void
  finish_sum(const GridSum<Number> &sum, Stream stream);
} // namespace tessera

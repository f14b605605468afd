#pragma once

#include <tessera/base/backend.h>

namespace tessera
{
  /// Where the blocks of one or several launches keep their partial sums: one
  /// value a block, a counter of blocks that are done (0 between sums), and
  /// the result.
  template <class Number>
  struct GridSum
  {
    /// Blocks of `finish_sum`, which leave sums behind those of the others.
    static constexpr int max_finishers = 64;

    Number *partial; ///< [n_partials(n_blocks)]
    unsigned int *counter;
    Number *result;
    int n_blocks; ///< of all launches together

    static int
    n_partials(const int n_blocks)
    {
      return n_blocks + max_finishers;
    }
  };

  /// On the device: *result = the sum of what all blocks have left, in an order
  /// that is the same in every run.
  template <class Number>
  void
  finish_sum(const GridSum<Number> &sum, Stream stream);
} // namespace tessera

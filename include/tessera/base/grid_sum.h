#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/backend.h>

namespace tessera
{
  /// The memory in which the blocks of one or several launches compute a common
  /// sum, or several: one partial sum per block, a counter of blocks that have
  /// finished (it is 0 between sums), and the result. Sums are double whatever
  /// the number type of the vectors, so that they neither overflow nor lose
  /// digits on large problems; a block leaves one number, so this costs
  /// nothing.
  struct GridSum
  {
    /// The largest number of blocks that `finish_sum` launches. Their partial
    /// sums are stored behind the sums of the summing blocks.
    static constexpr int max_finishers = 64;

    /// Sums of fewer blocks may be left to the next pass over vectors, whose
    /// blocks all add them up.
    static constexpr int most_pending = 1024;

    double *partial; ///< [n_partials(n_blocks)], or [n_sums][n_blocks]
    unsigned int *counter;
    double *result; ///< [n_sums]
    int n_blocks;   ///< blocks of all launches together

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
  void
  finish_sum(const GridSum &sum, Stream stream);

  /// Does this, or leaves the sum to the caller in *pending if that is not null
  /// and the sum has few blocks.
  inline void
  finish_sum(const GridSum &sum, const Stream stream, GridSum *const pending)
  {
    if (pending != nullptr && sum.n_blocks > 0 &&
        sum.n_blocks < GridSum::most_pending)
      *pending = sum;
    else
      finish_sum(sum, stream);
  }

  /// Does the same on the host for one or several sums, in the order of the
  /// blocks.
  TESSERA_HOST void
  finish_sums_on_host(const GridSum &sums, const int n_sums = 1)
  {
    const double *part = sums.partial;
    for (int k = 0; k < n_sums; ++k)
      {
        double total = 0;
        for (int block = 0; block < sums.n_blocks; ++block)
          total += *part++;
        sums.result[k] = total;
      }
  }
} // namespace tessera

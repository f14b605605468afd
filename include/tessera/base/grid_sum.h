#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Where the blocks of one or several launches keep their partial sums: one
  /// value a block and, on the device, one for each group of blocks, counters
  /// of blocks and groups that are done (0 between sums), and the result.
  template <class Number>
  struct GridSum
  {
    /// Blocks whose sums one of them adds up.
    static constexpr int blocks_per_group = 256;

    Number *partial;        ///< [n_partials(n_blocks)]: blocks, then groups
    unsigned int *counters; ///< [n_counters(n_blocks)]: all groups, then each
    Number *result;
    int n_blocks; ///< of all launches together

    TESSERA_HOST_DEVICE static int
    n_groups(const int n_blocks)
    {
      return (n_blocks + blocks_per_group - 1) / blocks_per_group;
    }

    TESSERA_HOST_DEVICE static int
    n_partials(const int n_blocks)
    {
      return n_blocks + n_groups(n_blocks);
    }

    TESSERA_HOST_DEVICE static int
    n_counters(const int n_blocks)
    {
      return 1 + n_groups(n_blocks);
    }
  };
} // namespace tessera

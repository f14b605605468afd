#pragma once

namespace tessera
{
  /// Where the blocks of one or several launches keep their partial sums: one
  /// value a block, a counter of blocks that are done (0 between sums), and
  /// the result.
  template <class Number>
  struct GridSum
  {
    Number *partial; /// [n_blocks]
    unsigned int *counter;
    Number *result;
    int n_blocks; ///< of all launches together
  };
} // namespace tessera

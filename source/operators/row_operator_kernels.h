#pragma once

#include <tessera/base/grid_sum.h>
#include <tessera/base/target.h>
#include <tessera/matrix/row_matrix.h>

#include <cstdint>

// What operators of rows hand to their kernels.
namespace tessera
{
  /// y (+)= A x by rows.
  template <class Number>
  struct RowApply
  {
    int n_rows;
    const Number *x;
    Number *y;
    bool add;
    GridSum sum; ///< of x . A x, where result is not null
  };

  /// Blocks of a kernel of the device that takes so many rows a block, and then
  /// goes on: the number of its partial sums.
  int
  row_blocks(std::int64_t n_rows, int rows_per_block);

  /// Rows of a block on the host, which sums up its part of x . A x by itself.
  constexpr int host_rows = 1024;

  constexpr int
  host_blocks(const int n, const int items)
  {
    return n / items + (n % items > 0);
  }

  constexpr int
  host_row_blocks(const int n_rows)
  {
    return host_blocks(n_rows, host_rows);
  }
} // namespace tessera

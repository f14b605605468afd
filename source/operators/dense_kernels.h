#pragma once

#include "row_operator_kernels.h"

namespace tessera
{
  /// y (+)= A x for rows that are stored with all their zeros, such as the rows
  /// of an inverse are.
  template <class Number>
  struct DenseApply
  {
    RowApply<Number> rows;
    int n_columns;
    const Number *values; ///< [n_rows][n_columns]
    bool by_blocks;       ///< on the device: a block a row, not a thread a row
  };

  /// The length of rows from which no thread of a block has nothing to do.
  constexpr int shortest_row_of_block = 128;

  /// Blocks that the kernel of the device is launched with.
  int
  dense_blocks(int n_rows, bool by_blocks);

  /// Rows of a block on the host, which sums up its part of x . A x by itself.
  constexpr int dense_host_rows = 16;

  template <class Number>
  void
  apply_dense(Cuda, const DenseApply<Number> &apply, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  apply_dense(Target, const DenseApply<Number> &apply, Stream stream);
} // namespace tessera

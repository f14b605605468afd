#pragma once

#include "row_operator_kernels.h"

namespace tessera
{
  /// Writes the entries of a row to their places among all places of the row;
  /// the others keep their zeros.
  template <class Number>
  struct DenseRow
  {
    const std::int64_t *row_start; ///< [n_rows + 1]
    const int *columns;            ///< [row_start[n_rows]]
    const Number *entries;         ///< [row_start[n_rows]]
    int n_columns;
    Number *to; ///< [n_rows][n_columns]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      for (std::int64_t k = row_start[row]; k < row_start[row + 1]; ++k)
        to[row * n_columns + columns[k]] = entries[k];
    }
  };

  /// y (+)= A x for rows that are stored with all their zeros.
  template <class Number>
  struct DenseApply
  {
    RowApply<Number> rows;
    int n_columns;
    const Number *values; ///< [n_rows][n_columns]
    bool by_blocks;       ///< on the device: a block a row, not a thread a row
  };

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

#pragma once

#include "block_rows.h"

#include <tessera/base/array.h>
#include <tessera/matrix/sparse_matrix.h>

namespace tessera::spmv
{
  /// A matrix in blocks of b x b entries, with zeros where it has none. Formats
  /// of blocks are made from `pattern`, and `row_start` and `values` are
  /// compressed rows of all entries of the blocks.
  template <class Number>
  struct FilledBlocks
  {
    SparsityPattern pattern; ///< of blocks
    Array<std::int64_t> row_start;
    Array<Number> values;
    std::int64_t n_filled; ///< zeros that the matrix does not have

    /// Throws ParameterError if the blocks do not fit into the rows and columns
    /// of the matrix.
    FilledBlocks(const SparseMatrix &A, const int block, const Backend backend)
      : pattern(benchmarks::make_block_pattern(
          A.pattern, std::max(A.n_rows(), A.n_columns), block))
    {
      const int n = A.n_rows();
      std::vector<std::int64_t> start(n + std::size_t(1), 0);
      const auto &of_blocks = pattern.row_start;
      for (int row = 0; row < n; ++row)
        start[row + 1] = start[row] + block * (of_blocks[row / block + 1] -
                                               of_blocks[row / block]);
      row_start = Array<std::int64_t>(backend, start);
      values    = Array<Number>(
        backend, benchmarks::fill_blocks<Number>(
                   A.pattern, A.values, pattern, block,
                   [&](const int row, const std::int64_t k, const int column) {
                     return start[row] + (k - of_blocks[row / block]) * block +
                            column;
                   }));
      n_filled = start.back() - A.n_nonzeros();
    }

    /// Returns the stored entries for each entry of the matrix.
    double
    fill() const
    {
      const auto stored = static_cast<double>(values.size());
      return values.size() == 0 ? 1. : stored / (stored - n_filled);
    }
  };
} // namespace tessera::spmv

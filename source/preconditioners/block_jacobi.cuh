#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// Blocks of b consecutive rows of which the last may be smaller, as
  /// BlockJacobi stores them.
  template <class Number>
  struct RowBlocks
  {
    Number *values; ///< [b][n_rows]
    int n_rows, b;

    TESSERA_HOST_DEVICE Number &
    operator()(const int row, const int k) const
    {
      return values[static_cast<std::int64_t>(k) * n_rows + row];
    }

    TESSERA_HOST_DEVICE int
    size(const int block) const
    {
      return n_rows - block * b < b ? n_rows - block * b : b;
    }
  };

  /// Copies the entries of row i that lie in its block; the others are zero
  /// already. Entries of one column are added up.
  template <class Number>
  struct CollectBlock
  {
    RowEntries<const Number> matrix;
    RowBlocks<Number> blocks;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row    = static_cast<int>(i);
      const int first  = row / blocks.b * blocks.b;
      const int length = matrix.rows.length(row);
      for (int k = 0; k < length; ++k)
        {
          const int column = matrix.column(row, k);
          if (column >= first && column < first + blocks.b &&
              column < blocks.n_rows)
            blocks(row, column - first) +=
              matrix.values[matrix.rows.position(row, k)];
        }
    }
  };

  /// Inverts a block in place by Gauss-Jordan elimination, whose pivots are
  /// positive if the block is symmetric and positive definite.
  template <class Number>
  struct InvertBlock
  {
    RowBlocks<Number> blocks;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t block) const
    {
      const int first = static_cast<int>(block) * blocks.b;
      const int size  = blocks.size(static_cast<int>(block));
      for (int k = 0; k < size; ++k)
        {
          const Number pivot   = Number(1) / blocks(first + k, k);
          blocks(first + k, k) = Number(1);
          for (int j = 0; j < size; ++j)
            blocks(first + k, j) *= pivot;
          for (int i = 0; i < size; ++i)
            if (i != k)
              {
                const Number factor  = blocks(first + i, k);
                blocks(first + i, k) = Number(0);
                for (int j = 0; j < size; ++j)
                  blocks(first + i, j) -= factor * blocks(first + k, j);
              }
        }
    }
  };

  /// z_i = sum_k inverse_ik r_k over the rows k of the block of i. Moves b + 2
  /// numbers per entry.
  template <class Number>
  struct ApplyBlock
  {
    RowBlocks<const Number> blocks;
    Number *z;
    const Number *r;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row   = static_cast<int>(i);
      const int block = row / blocks.b;
      const int size  = blocks.size(block);
      Number sum      = Number(0);
      for (int k = 0; k < size; ++k)
        sum += blocks(row, k) * r[block * blocks.b + k];
      z[i] = sum;
    }
  };
} // namespace tessera

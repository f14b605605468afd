#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/csr_pattern.h>

// The kernels of csr_pattern.cu and their arguments.
namespace tessera
{
  /// The cells on the device, and the cells of every row (CellsOfRows).
  struct PatternCells
  {
    const int *dofs; ///< [n_batches][n][32]
    int n;           ///< nodes of a cell
    int n_rows;
    const std::int64_t *start;
    const unsigned int *entries;
    int most_candidates; ///< most columns of a row, with repetitions
  };

  /// The host makes patterns that have more columns, with repetitions, per row.
  constexpr int most_candidates_on_device = 4096;

  void
  count_columns(const PatternCells &cells, int *lengths);

  /// Entries of a row of a pattern whose entries are blocks of b x b.
  struct RowLength
  {
    const std::int64_t *row_start; ///< [n_rows / b + 1]
    std::int32_t *lengths;         ///< [n_rows]
    int b;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const std::int64_t *const of_block = row_start + row / b;
      lengths[row] = static_cast<std::int32_t>(of_block[1] - of_block[0]) * b;
    }
  };

  /// The columns of the rows of a node with b components, and where the rows
  /// begin.
  struct RowsOfBlocks
  {
    int b;
    const std::int64_t *block_start; ///< [n_nodes + 1]
    const int *block_columns;
    std::int64_t *row_start; ///< [n_nodes b + 1]
    int *columns;            ///< null if starts alone are asked for

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const std::int64_t node = row / b, begin = block_start[node],
                         length = block_start[node + 1] - begin;
      std::int64_t to           = (begin * b + row % b * length) * b;
      if (row == 0)
        row_start[0] = 0;
      row_start[row + 1] = to + length * b;
      for (std::int64_t k = begin; columns != nullptr && k < begin + length;
           ++k)
        for (int c = 0; c < b; ++c)
          columns[to++] = block_columns[k] * b + c;
    }
  };

  /// The same value in 32 bits.
  struct Narrowing
  {
    const std::int64_t *from;
    std::int32_t *to;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      to[i] = static_cast<std::int32_t>(from[i]);
    }
  };

  /// The same values in 32 bits, on either backend.
  Array<std::int32_t>
  narrow(const Array<std::int64_t> &values);

  /// Returns where the rows of single entries of a pattern begin, [n_rows block
  /// + 1], on the pattern's backend.
  Array<std::int64_t>
  row_starts(const CsrPattern &pattern);

  /// Returns the length of every row of single entries of a pattern, on the
  /// pattern's backend.
  Array<std::int32_t>
  row_lengths(const CsrPattern &pattern);

  /// The same with rows of blocks, whose lengths count blocks.
  Array<std::int32_t>
  lengths_in_blocks(const CsrPattern &pattern);

  void
  write_columns(const PatternCells &cells, const std::int64_t *row_start,
                int *columns);
} // namespace tessera

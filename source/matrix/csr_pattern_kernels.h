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

  /// Entries of a row of a pattern.
  struct RowLength
  {
    const std::int64_t *row_start; ///< [n_rows + 1]
    std::int32_t *lengths;         ///< [n_rows]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      lengths[row] =
        static_cast<std::int32_t>(row_start[row + 1] - row_start[row]);
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

  /// Returns the length of every row of a pattern, on the pattern's backend.
  Array<std::int32_t>
  row_lengths(const CsrPattern &pattern);

  void
  write_columns(const PatternCells &cells, const std::int64_t *row_start,
                int *columns);
} // namespace tessera

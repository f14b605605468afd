#pragma once

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

  /// Returns the values in 32 bits, on the same backend.
  Array<std::int32_t>
  narrow(const Array<std::int64_t> &values);

  /// Returns the length of every row of a pattern, on the pattern's backend.
  Array<std::int32_t>
  row_lengths(const CsrPattern &pattern);

  /// Writes the length of every row, [n_rows], on the device.
  void
  measure_rows(const std::int64_t *row_start, int n_rows,
               std::int32_t *lengths);

  void
  write_columns(const PatternCells &cells, const std::int64_t *row_start,
                int *columns);
} // namespace tessera

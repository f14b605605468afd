#pragma once

#include <cstdint>

// The kernels of coo.cu and their arguments.
namespace tessera
{
  /// The rows of a pattern, and the arrays for the row numbers of entries.
  struct CooRows
  {
    const std::int64_t *row_start; ///< [n_rows + 1]
    int n_rows;
    int *rows; ///< [n_nonzeros]
    int *some; ///< [n_rows]: 1 if the row has entries
  };

  /// Fills `rows` and `some`.
  void
  fill_coo_on_device(const CooRows &rows);
} // namespace tessera

#pragma once

#include <cstdint>

// What the kernels of coo.cu are given.
namespace tessera
{
  /// Rows of a pattern, and where their entries get their numbers.
  struct CooRows
  {
    const std::int64_t *row_start; ///< [n_rows + 1]
    int n_rows;
    int *rows; ///< [n_nonzeros]
    int *some; ///< [n_rows]: 1 where a row has entries
  };

  /// Fills both arrays.
  void
  fill_coo_on_device(const CooRows &rows);
} // namespace tessera

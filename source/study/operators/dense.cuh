#pragma once

#include <tessera/base/for_each.h>

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
} // namespace tessera

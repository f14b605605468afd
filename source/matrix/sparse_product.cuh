#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/sparse_rows.h>

namespace tessera
{
  /// The columns of a row of A B.
  struct ProductColumns
  {
    RowsView a, b;
    bool with_diagonal;
  };

  /// An upper bound of the columns of the rows in a list.
  struct BoundOfProductRow
  {
    ProductColumns product;
    const int *rows;
    std::int64_t *bound;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const RowsView &a = product.a, &b = product.b;
      std::int64_t sum = product.with_diagonal ? 1 : 0;
      for (std::int64_t k = a.row_start[rows[i]]; k < a.row_start[rows[i] + 1];
           ++k)
        sum += b.length(a.columns[k]);
      bound[i] = sum < b.n_columns ? sum : b.n_columns;
    }
  };

  /// Puts a one on the diagonal of rows that have no entry.
  struct OneOnEmptyDiagonal
  {
    int block;
    const std::int64_t *row_start;
    const int *columns;
    double *values;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t item) const
    {
      const std::int64_t row = item / block, i = item % block,
                         begin = row_start[row], n = row_start[row + 1] - begin;
      for (std::int64_t k = 0; k < n; ++k)
        if (columns[begin + k] == row)
          {
            double &diagonal = values[(begin * block + i * n + k) * block + i];
            if (diagonal == 0)
              diagonal = 1;
          }
    }
  };
} // namespace tessera

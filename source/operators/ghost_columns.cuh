#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// Adds the columns from `n_owned` on to y, for the rows of a list. A thread
  /// has a row. Its share of x . A x is what it adds times x; a row that is not
  /// owned was multiplied by an x of zero before, so that all of it counts.
  template <class Number>
  struct AdditionOfColumns : Pass
  {
    static constexpr int n_sums = 1;

    RowEntries<const Number> matrix;
    const int *rows;
    int n_owned;
    const Number *x;
    Number *y;
    Number *added; ///< one for each row of the list

    AdditionOfColumns(const RowEntries<const Number> &matrix, const int *rows,
                      const int n_owned, const Number *x, Number *y,
                      Number *added)
      : matrix(matrix), rows(rows), n_owned(n_owned), x(x), y(y), added(added)
    {}

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Scalars &) const
    {
      const int row    = rows[i];
      const int length = matrix.rows.length(row);
      Number sum       = Number(0);
      for (int k = 0; k < length; ++k)
        if (const int column = matrix.column(row, k); column >= n_owned)
          sum += matrix.values[matrix.rows.position(row, k)] * x[column];
      y[row] += sum;
      added[i] = sum;
    }

    TESSERA_HOST_DEVICE double
    share(int, const std::int64_t i) const
    {
      const int row = rows[i];
      return double(x[row]) * double(row < n_owned ? added[i] : y[row]);
    }
  };
} // namespace tessera

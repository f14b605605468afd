#pragma once

#include <tessera/base/for_each.h>

#include "elimination_kernels.h"

namespace tessera
{
  /// Eliminates in entries `first`, `first` + `step`, ... of a row. Returns
  /// their share of a sum: of the diagonal entry if the row is constrained,
  /// otherwise of A_ij g_j over the constrained columns j.
  template <class Number>
  TESSERA_HOST_DEVICE Number
  eliminate_in_row(const Elimination<Number> &system, const int row,
                   const int first, const int step)
  {
    const RowEntries<Number> &matrix = system.matrix;
    const int length                 = matrix.rows.length(row);
    const bool fixed                 = system.constrained[row] != 0;
    Number sum                       = Number(0);
    for (int k = first; k < length; k += step)
      {
        const std::int64_t place = matrix.rows.position(row, k);
        const int column         = matrix.column(row, k);
        Number &value            = matrix.values[place];
        if (fixed && column == row)
          sum += value;
        else if (fixed)
          value = Number(0);
        else if (system.constrained[column] != 0)
          {
            sum += value * system.g[column];
            value = Number(0);
          }
      }
    return sum;
  }

  /// Sets an entry to 0 or 1.
  template <class Number>
  struct IdentityEntry
  {
    const int *row, *place;
    const unsigned char *value;
    RowAddressing rows;
    Number *values;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      values[rows.position(row[k], place[k])] = Number(value[k]);
    }
  };

  /// Turns a row whose columns may repeat into the row of M A M + (1 - M).
  template <class Number>
  struct IdentityRow
  {
    RowEntries<Number> matrix;
    const unsigned char *is_given;
    int n_owned;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row    = static_cast<int>(i);
      const int length = matrix.rows.length(row);
      const bool given = is_given[row] != 0;
      bool needs_one   = given && row < n_owned;
      for (int k = 0; k < length; ++k)
        if (const int column = matrix.column(row, k);
            given || is_given[column] != 0)
          {
            const bool one = needs_one && column == row;
            matrix.values[matrix.rows.position(row, k)] = Number(one);
            needs_one                                   = needs_one && !one;
          }
    }
  };

  template <class Number>
  TESSERA_HOST_DEVICE void
  finish_row(const Elimination<Number> &system, const int row, const Number sum)
  {
    system.b[row] =
      system.constrained[row] != 0 ? sum * system.g[row] : system.b[row] - sum;
  }
} // namespace tessera

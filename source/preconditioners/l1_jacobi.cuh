#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// sums_i = sum_k |a_ik|. Reads the row of i; a thread has one row.
  template <class Number>
  struct SumOfMagnitudes
  {
    RowEntries<const Number> matrix;
    Number *sums; ///< [n_rows]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row    = static_cast<int>(i);
      const int length = matrix.rows.length(row);
      Number sum       = Number(0);
      for (int k = 0; k < length; ++k)
        {
          const Number a = matrix.values[matrix.rows.position(row, k)];
          sum += a < Number(0) ? -a : a;
        }
      sums[i] = sum;
    }
  };
} // namespace tessera

#pragma once

#include <tessera/base/attributes.h>

#include "row_operator_kernels.h"

namespace tessera
{
  /// Stores or adds (A x)_row. Returns its part of x . A x, 0 where that is not
  /// asked for.
  template <class Number>
  TESSERA_HOST_DEVICE Number
  finish_product(const RowApply<Number> &apply, const std::int64_t row,
                 const Number sum)
  {
    apply.y[row] = apply.add ? apply.y[row] + sum : sum;
    return apply.sum.result != nullptr ? apply.x[row] * sum : Number(0);
  }

  template <class Number>
  TESSERA_HOST_DEVICE Number
  diagonal_entry(const RowEntries<const Number> &matrix, const int row)
  {
    const int length = matrix.rows.length(row);
    Number d         = Number(0);
    for (int k = 0; k < length; ++k)
      {
        const std::int64_t place = matrix.rows.position(row, k);
        if (matrix.columns[place] == row)
          d += matrix.values[place];
      }
    return d;
  }

  /// On the host: calls `work(first, last)`, which returns the part of x . A x
  /// of those rows, for all blocks of rows.
  template <class Number, class Work>
  TESSERA_HOST void
  for_each_row_block(const RowApply<Number> &apply, const Work &work)
  {
    const int n_blocks = host_row_blocks(apply.n_rows);
#pragma omp parallel for schedule(static)
    for (int block = 0; block < n_blocks; ++block)
      {
        const int first = block * host_rows;
        const int last =
          apply.n_rows - first < host_rows ? apply.n_rows : first + host_rows;
        const Number energy = work(first, last);
        if (apply.sum.result != nullptr)
          apply.sum.partial[block] = energy;
      }
    if (apply.sum.result != nullptr)
      {
        Number total = Number(0);
        for (int block = 0; block < n_blocks; ++block)
          total += apply.sum.partial[block];
        *apply.sum.result = total;
      }
  }
} // namespace tessera

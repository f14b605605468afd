#pragma once

#include <tessera/base/for_each.h>

#include "row_operator_kernels.h"

namespace tessera
{
  /// Stores (A x)_row in y or adds it. Returns the row's contribution to x . A
  /// x, or 0 if that sum is not requested.
  template <class Number>
  TESSERA_HOST_DEVICE double
  finish_product(const RowApply<Number> &apply, const std::int64_t row,
                 const Number sum)
  {
    apply.y[row] = apply.add ? apply.y[row] + sum : sum;
    return apply.sum.result != nullptr ? double(apply.x[row]) * double(sum)
                                       : 0.;
  }

  /// Calls `rows(finish)` on the host and returns the contribution of its rows
  /// to x . A x. `rows` must call `finish(row, sum)` for each of its rows. What
  /// is to be done with the sums is checked once for all rows, because a check
  /// for each row takes a third of the time of a row of one entry.
  template <class Number, class Rows>
  TESSERA_HOST double
  finish_products(const RowApply<Number> &apply, const Rows &rows)
  {
    double energy = 0;
    if (apply.add || apply.sum.result != nullptr)
      rows([&](const std::int64_t row, const Number sum) {
        energy += finish_product(apply, row, sum);
      });
    else
      rows([y = apply.y](const std::int64_t row, const Number sum) {
        y[row] = sum;
      });
    return energy;
  }

  /// d_i = A_ii, the sum of all entries of that column, 0 of none.
  template <class Number>
  struct DiagonalOfRow
  {
    RowEntries<const Number> matrix;
    Number *d;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row    = static_cast<int>(i);
      const int length = matrix.rows.length(row);
      Number sum       = Number(0);
      for (int k = 0; k < length; ++k)
        if (matrix.column(row, k) == row)
          sum += matrix.values[matrix.rows.position(row, k)];
      d[i] = sum;
    }
  };

  /// Calls `work(first, last)` on the host for all blocks of `items` items. A
  /// call returns the contribution of its items to x . A x; these are added in
  /// the order of the blocks. A block has work for 10 microseconds or so; a
  /// single one needs no other thread.
  template <class Work>
  TESSERA_HOST void
  for_each_block(const GridSum &sum, const int n, const int items,
                 const Work &work)
  {
    const int n_blocks = host_blocks(n, items);
#pragma omp parallel for schedule(static) if (n_blocks > 1)
    for (int block = 0; block < n_blocks; ++block)
      {
        const int first     = block * items;
        const int last      = n - first < items ? n : first + items;
        const double energy = work(first, last);
        if (sum.result != nullptr)
          sum.partial[block] = energy;
      }
    if (sum.result != nullptr)
      finish_sums_on_host({sum.partial, nullptr, sum.result, n_blocks});
  }

  /// Does the same for blocks of rows.
  template <class Number, class Work>
  TESSERA_HOST void
  for_each_row_block(const RowApply<Number> &apply, const Work &work)
  {
    for_each_block(apply.sum, apply.n_rows, host_rows, work);
  }
} // namespace tessera

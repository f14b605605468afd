#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// d_i = c^T A c for entry k of a list of sources i, where c is 1 at i and
  /// has weights at the entries that follow from i.
  template <class Number>
  struct DiagonalOfSource
  {
    RowEntries<const Number> matrix;
    const int *source;
    const std::int64_t *start;
    const int *entry; ///< increasing for each source
    const Number *weight;
    Number *d;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      const int i = source[k];
      Number sum  = of_row(k, i);
      for (std::int64_t m = start[k]; m < start[k + 1]; ++m)
        sum += weight[m] * of_row(k, entry[m]);
      d[i] = sum;
    }

    /// Returns (A c)_row.
    TESSERA_HOST_DEVICE Number
    of_row(const std::int64_t k, const int row) const
    {
      const int length = matrix.rows.length(row);
      Number sum       = Number(0);
      for (int j = 0; j < length; ++j)
        sum += weight_of(k, matrix.column(row, j)) *
               matrix.values[matrix.rows.position(row, j)];
      return sum;
    }

    TESSERA_HOST_DEVICE Number
    weight_of(const std::int64_t k, const int column) const
    {
      if (column == source[k])
        return Number(1);
      std::int64_t first = start[k], last = start[k + 1];
      while (first < last)
        {
          const std::int64_t middle = first + (last - first) / 2;
          if (entry[middle] < column)
            first = middle + 1;
          else
            last = middle;
        }
      return first < start[k + 1] && entry[first] == column ? weight[first]
                                                            : Number(0);
    }
  };

  /// to_i += factor from_i at the entries of a list.
  template <class Number>
  struct AdditionOfEntries
  {
    const int *entries;
    const Number *from;
    Number factor;
    Number *to;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      to[entries[k]] += factor * from[entries[k]];
    }
  };
} // namespace tessera

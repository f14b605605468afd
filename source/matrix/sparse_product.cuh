#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/sparse_rows.h>

#include "../base/rounded_product.h"

namespace tessera
{
  /// A set of columns with open addressing. There is room for 3/4 of `size`, a
  /// power of two.
  struct ColumnSet
  {
    int *slots;
    std::int64_t size;
    int n = 0;

    static constexpr int none = -1;

    TESSERA_HOST_DEVICE void
    clear()
    {
      n = 0;
      for (std::int64_t s = 0; s < size; ++s)
        slots[s] = none;
    }

    /// Returns false if the set is full.
    TESSERA_HOST_DEVICE bool
    insert(const int column)
    {
      std::int64_t at = first_slot(column, size);
      while (slots[at] != none)
        {
          if (slots[at] == column)
            return true;
          at = (at + 1) & (size - 1);
        }
      if (4 * static_cast<std::int64_t>(n) >= 3 * size)
        return false;
      slots[at] = column;
      ++n;
      return true;
    }

    TESSERA_HOST_DEVICE static std::int64_t
    first_slot(const int column, const std::int64_t size)
    {
      const std::uint32_t mixed =
        static_cast<std::uint32_t>(column) * 0x9e3779b1u;
      return (mixed >> 7) & (size - 1);
    }
  };

  /// Sorts n columns in place, by the method of Shell.
  TESSERA_HOST_DEVICE void
  sort_columns(int *const columns, const int n)
  {
    constexpr int gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (const int gap : gaps)
      for (int i = gap; i < n; ++i)
        {
          const int column = columns[i];
          int at           = i;
          for (; at >= gap && columns[at - gap] > column; at -= gap)
            columns[at] = columns[at - gap];
          columns[at] = column;
        }
  }

  /// The columns of a row of A B.
  struct ProductColumns
  {
    RowsView a, b;
    bool with_diagonal;

    /// Returns false if the set is full.
    TESSERA_HOST_DEVICE bool
    collect(const int row, ColumnSet &set) const
    {
      set.clear();
      if (with_diagonal && !set.insert(row))
        return false;
      for (std::int64_t k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
        {
          const int middle = a.columns[k];
          for (std::int64_t l = b.row_start[middle];
               l < b.row_start[middle + 1]; ++l)
            if (!set.insert(b.columns[l]))
              return false;
        }
      return true;
    }

    TESSERA_HOST_DEVICE static void
    write(const ColumnSet &set, int *const columns)
    {
      int n = 0;
      for (std::int64_t s = 0; s < set.size; ++s)
        if (set.slots[s] != ColumnSet::none)
          columns[n++] = set.slots[s];
      sort_columns(columns, n);
    }
  };

  /// Counts the columns of a row, or writes them if `count` is null. A
  /// table begins small and is doubled until the columns fit. A row for which
  /// the largest one is too small has `too_many` columns, and is not written.
  struct CollectProductRow
  {
    static constexpr int smallest = 64, largest = 512, too_many = 0x7fffffff;

    ProductColumns product;
    int *count;
    const std::int64_t *row_start;
    int *columns;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row = static_cast<int>(i);
      int slots[largest];
      ColumnSet set{slots, smallest};
      if (count == nullptr)
        {
          const std::int64_t n = row_start[row + 1] - row_start[row];
          while (set.size < largest && 3 * set.size < 4 * n)
            set.size *= 2;
          if (product.collect(row, set))
            product.write(set, columns + row_start[row]);
          return;
        }
      while (!product.collect(row, set))
        {
          set.size *= 2;
          if (set.size > largest)
            {
              count[row] = too_many;
              return;
            }
        }
      count[row] = set.n;
    }
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

  /// The same as CollectProductRow for rows in a list, with tables in memory.
  struct CollectLongRow
  {
    ProductColumns product;
    const int *rows;
    const std::int64_t *first; ///< slot of each table
    int *slots;
    int *count;
    const std::int64_t *row_start;
    int *columns;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      ColumnSet set{slots + first[i], first[i + 1] - first[i]};
      product.collect(rows[i], set);
      if (count == nullptr)
        product.write(set, columns + row_start[rows[i]]);
      else
        count[rows[i]] = set.n;
    }
  };

  /// Finds the places of columns in a row with increasing columns, by a table
  /// if the row is not too long.
  struct ColumnPlaces
  {
    static constexpr int max_length = 384, n_slots = 1024;

    const int *columns;
    int n, size = 16;
    std::uint16_t slots[n_slots]; ///< place + 1, or 0

    TESSERA_HOST_DEVICE
    ColumnPlaces(const int *const columns, const int n) : columns(columns), n(n)
    {
      if (n > max_length)
        return;
      while (size < 2 * n)
        size *= 2;
      for (int s = 0; s < size; ++s)
        slots[s] = 0;
      for (int k = 0; k < n; ++k)
        {
          auto at = ColumnSet::first_slot(columns[k], size);
          while (slots[at] != 0)
            at = (at + 1) & (size - 1);
          slots[at] = static_cast<std::uint16_t>(k + 1);
        }
    }

    /// Returns the place of a column that the row has.
    TESSERA_HOST_DEVICE int
    operator()(const int column) const
    {
      if (n <= max_length)
        {
          auto at = ColumnSet::first_slot(column, size);
          while (columns[slots[at] - 1] != column)
            at = (at + 1) & (size - 1);
          return slots[at] - 1;
        }
      int first = 0, last = n - 1;
      while (first < last)
        {
          const int middle = (first + last) / 2;
          if (columns[middle] < column)
            first = middle + 1;
          else
            last = middle;
        }
      return first;
    }
  };

  /// Computes component i of a row of C = A B: c, [n][column_block of B], where
  /// place_of(column) is the place of a column among the n of the row. If all
  /// blocks have one entry, `is_single` leaves out the loops over blocks.
  template <bool is_single, class Places>
  TESSERA_HOST_DEVICE void
  multiply_row(const RowsView &a, const RowsView &b, const int row, const int i,
               double *const c, const int n, const Places &place_of)
  {
    const int kb = is_single ? 1 : a.column_block,
              cb = is_single ? 1 : b.column_block;
    for (int k = 0; k < n * cb; ++k)
      c[k] = 0;
    const int n_a             = a.length(row);
    const int *const of_a     = a.columns_of(row);
    const double *const a_row = a.values_of(row, i);
    for (int k = 0; k < n_a; ++k)
      {
        const std::int64_t first  = b.row_start[of_a[k]];
        const int n_b             = b.length(of_a[k]);
        const int *const of_b     = b.columns + first;
        const double *const b_row = b.values + first * kb * cb;
        for (int l = 0; l < n_b; ++l)
          {
            double *const to = c + place_of(of_b[l]) * cb;
            for (int q = 0; q < kb; ++q)
              for (int j = 0; j < cb; ++j)
                to[j] += rounded_product(a_row[k * kb + q],
                                         b_row[(q * n_b + l) * cb + j]);
          }
      }
  }

  /// Computes component i % row_block of row i / row_block of C = A B.
  template <bool is_single>
  struct MultiplyRow
  {
    RowsView a, b;
    const std::int64_t *row_start; ///< of C
    const int *columns;
    double *values;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t item) const
    {
      const int row            = static_cast<int>(item / a.row_block);
      const int i              = static_cast<int>(item % a.row_block);
      const std::int64_t begin = row_start[row];
      const int n              = static_cast<int>(row_start[row + 1] - begin);
      multiply_row<is_single>(
        a, b, row, i,
        values + (begin * a.row_block + static_cast<std::int64_t>(i) * n) *
                   b.column_block,
        n, ColumnPlaces(columns + begin, n));
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

#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/sparse_rows.h>

namespace tessera
{
  template <class Int>
  struct WidenStart
  {
    const Int *from;
    std::int64_t *to;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      to[i] = from[i];
    }
  };

  /// Copies an entry.
  template <class Number>
  struct CopyEntry
  {
    const int *from_columns;
    const Number *from_values;
    int *columns;
    double *values;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      columns[k] = from_columns[k];
      values[k]  = from_values[k];
    }
  };

  /// alone[row] is 1 if all entries beside the diagonal are 0.
  struct FindAlone
  {
    RowsView a;
    char *alone;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      char result = 1;
      for (std::int64_t k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
        if (a.columns[k] != row && a.values[k] != 0)
          result = 0;
      alone[row] = result;
    }
  };

  /// rows[k] is the row of entry k.
  struct RowOfEntries
  {
    const std::int64_t *row_start;
    int *rows;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      for (std::int64_t k = row_start[row]; k < row_start[row + 1]; ++k)
        rows[k] = static_cast<int>(row);
    }
  };

  /// Entry `at` of the transpose is entry items[at] of the matrix.
  struct TransposeEntry
  {
    RowsView from;
    const int *items, *row_of; ///< [entries]
    const std::int64_t *row_start;
    int *columns;
    double *values;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t at) const
    {
      const int item = items[at], row = row_of[item],
                column          = from.columns[item];
      const int from_length     = from.length(row),
                k               = static_cast<int>(item - from.row_start[row]);
      const std::int64_t begin  = row_start[column],
                         length = row_start[column + 1] - begin;
      const int rb = from.row_block, cb = from.column_block;
      const double *const block =
        from.values_of(row, 0) + static_cast<std::int64_t>(k) * cb;
      columns[at] = row;
      for (int j = 0; j < cb; ++j)
        for (int i = 0; i < rb; ++i)
          values[(begin * cb + j * length + at - begin) * rb + i] =
            block[static_cast<std::int64_t>(i) * from_length * cb + j];
    }
  };

  /// Goes through the columns of blocks of the b rows of a node. Counts them,
  /// or writes them if `count` is null.
  struct BlockColumnsOfNode
  {
    RowsView single;
    int b;
    int *count;
    const std::int64_t *row_start;
    int *columns;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      std::int64_t at[max_block];
      for (int i = 0; i < b; ++i)
        at[i] = single.row_start[node * b + i];
      int n = 0;
      for (;; ++n)
        {
          int next = single.n_columns;
          for (int i = 0; i < b; ++i)
            if (at[i] < single.row_start[node * b + i + 1] &&
                single.columns[at[i]] / b < next)
              next = single.columns[at[i]] / b;
          if (next == single.n_columns)
            break;
          for (int i = 0; i < b; ++i)
            while (at[i] < single.row_start[node * b + i + 1] &&
                   single.columns[at[i]] / b == next)
              ++at[i];
          if (count == nullptr)
            columns[row_start[node] + n] = next;
        }
      if (count != nullptr)
        count[node] = n;
    }
  };

  /// Copies the values of a row of single entries into blocks.
  struct PlaceRowInBlocks
  {
    RowsView single;
    int b;
    const std::int64_t *row_start;
    const int *columns;
    double *values;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const std::int64_t node = row / b, begin = row_start[node],
                         length = row_start[node + 1] - begin;
      double *const to          = values + (begin * b + row % b * length) * b;
      std::int64_t k            = 0;
      for (std::int64_t from = single.row_start[row];
           from < single.row_start[row + 1]; ++from)
        {
          const int column = single.columns[from];
          while (columns[begin + k] < column / b)
            ++k;
          to[k * b + column % b] = single.values[from];
        }
    }
  };

  /// The start, length and columns of a row of single entries.
  struct SingleEntriesOfRow
  {
    RowsView blocks;
    std::int64_t *row_start;
    int *lengths, *columns;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const int rb = blocks.row_block, cb = blocks.column_block;
      const int r = static_cast<int>(row / rb), length = blocks.length(r);
      const int *const from = blocks.columns_of(r);
      std::int64_t to = (blocks.row_start[r] * rb + row % rb * length) * cb;
      if (row == 0)
        row_start[0] = 0;
      lengths[row]       = length * cb;
      row_start[row + 1] = to + static_cast<std::int64_t>(length) * cb;
      for (int k = 0; k < length; ++k)
        for (int j = 0; j < cb; ++j)
          columns[to++] = from[k] * cb + j;
    }
  };
} // namespace tessera

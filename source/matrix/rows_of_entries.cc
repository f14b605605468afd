#include "rows_of_entries.h"

#include <tessera/base/host_memory.h>

#include <algorithm>
#include <functional>
#include <new>
#include <tuple>
#include <utility>

namespace tessera
{
  namespace
  {
    /// Sorts a row by columns; entries at the same place keep their order.
    /// Returns true if there are such entries.
    bool
    sort_row(int *const columns, double *const values, const std::int64_t n,
             std::vector<std::pair<int, double>> &scratch)
    {
      if (std::adjacent_find(columns, columns + n, std::greater_equal<>()) ==
          columns + n)
        return false;
      scratch.resize(n);
      for (std::int64_t k = 0; k < n; ++k)
        scratch[k] = {columns[k], values[k]};
      std::stable_sort(
        scratch.begin(), scratch.end(),
        [](const auto &a, const auto &b) { return a.first < b.first; });
      for (std::int64_t k = 0; k < n; ++k)
        std::tie(columns[k], values[k]) = scratch[k];
      return std::adjacent_find(columns, columns + n) != columns + n;
    }


    /// Adds up the entries at the same place; rows must be sorted.
    void
    add_up(SparseMatrix &matrix)
    {
      auto &start    = matrix.pattern.row_start;
      auto &columns  = matrix.pattern.columns;
      auto &values   = matrix.values;
      std::int64_t n = 0, begin = 0;
      for (int row = 0; row < matrix.n_rows(); ++row)
        {
          const std::int64_t first = n, end = start[row + 1];
          for (std::int64_t k = begin; k < end; ++k)
            if (n > first && columns[n - 1] == columns[k])
              values[n - 1] += values[k];
            else
              {
                columns[n]  = columns[k];
                values[n++] = values[k];
              }
          begin          = end;
          start[row + 1] = n;
        }
      columns.resize(n);
      values.resize(n);
    }
  } // namespace


  SparseMatrix
  rows_of_entries(const int n_rows, const int n_columns,
                  std::vector<MatrixEntry> entries, const int mirrored)
  {
    const auto for_each_entry = [&](const auto &put) {
      for (const MatrixEntry &entry : entries)
        {
          put(entry.row, entry.column, entry.value);
          if (mirrored != 0 && entry.row != entry.column)
            put(entry.column, entry.row, mirrored * entry.value);
        }
    };
    SparseMatrix matrix;
    matrix.n_columns = n_columns;
    auto &start      = matrix.pattern.row_start;
    auto &columns    = matrix.pattern.columns;
    auto &values     = matrix.values;
    // A size that a header merely announces must not end the program. Who has
    // the matrix also needs vectors: x, y and a copy.
    if (24. * n_rows + 8. * n_columns +
          24. * static_cast<double>(entries.size()) >
        free_host_memory())
      throw std::bad_alloc();
    // Lengths are counted at row + 2 and summed up. A row is then filled from
    // its start at row + 1, which thereby moves to the start of the next row.
    start.resize(std::size_t(n_rows) + 2);
    for_each_entry([&](const int row, int, double) { ++start[row + 2l]; });
    for (std::size_t row = 2; row < start.size(); ++row)
      start[row] += start[row - 1];
    columns.resize(start.back());
    values.resize(start.back());
    for_each_entry([&](const int row, const int column, const double value) {
      const std::int64_t k = start[row + 1l]++;
      columns[k]           = column;
      values[k]            = value;
    });
    start.pop_back();
    std::vector<MatrixEntry>().swap(entries);

    std::vector<std::pair<int, double>> scratch;
    bool repeated = false;
    for (int row = 0; row < n_rows; ++row)
      repeated |=
        sort_row(columns.data() + start[row], values.data() + start[row],
                 start[row + 1] - start[row], scratch);
    if (repeated)
      add_up(matrix);
    return matrix;
  }
} // namespace tessera

#include <tessera/matrix/collect_rows.h>

#include <algorithm>

#include "host_rows.h"

namespace tessera
{
  namespace
  {
    /// The column of an entry, and the place where it is stored.
    struct Entry
    {
      int column;
      std::int64_t place;
    };

    /// Lists the entries of a row by column; equal columns keep their order.
    void
    list_entries(const HostRows &rows, const int row,
                 std::vector<Entry> &entries)
    {
      entries.clear();
      for (int k = 0; k < rows.length(row); ++k)
        entries.push_back({rows.column(row, k), rows.position(row, k)});
      std::stable_sort(
        entries.begin(), entries.end(),
        [](const Entry &a, const Entry &b) { return a.column < b.column; });
    }
  } // namespace


  template <class Number>
  SparseMatrix
  collect_rows(const RowMatrix<Number> &matrix, const int n_columns)
  {
    const HostRows rows(matrix);
    const std::vector<Number> values = matrix.values().to_vector();
    const int n                      = matrix.n_rows();
    SparseMatrix result;
    result.n_columns                     = n_columns;
    std::vector<std::int64_t> &row_start = result.pattern.row_start;
    row_start.assign(n + std::size_t(1), 0);

    // Calls `put(row, i, entry, first)` for all entries: column i of the row
    // has the entry, and `first` is true for the first entry of a column.
    const auto for_all = [&](const auto &put) {
#pragma omp parallel
      {
        std::vector<Entry> entries;
#pragma omp for schedule(static)
        for (int row = 0; row < n; ++row)
          {
            list_entries(rows, row, entries);
            int i = -1, last = -1;
            for (const Entry &entry : entries)
              {
                const bool first = entry.column != last;
                i += first;
                last = entry.column;
                put(row, i, entry, first);
              }
          }
      }
    };

    for_all([&](const int row, const int i, const Entry &, bool) {
      row_start[row + 1] = i + 1;
    });
    for (int row = 0; row < n; ++row)
      row_start[row + 1] += row_start[row];
    result.pattern.columns.resize(row_start[n]);
    result.values.resize(row_start[n]);
    for_all(
      [&](const int row, const int i, const Entry &entry, const bool first) {
        const std::int64_t at      = row_start[row] + i;
        result.pattern.columns[at] = entry.column;
        // The first value is not added to 0, so that -0 keeps its sign.
        const Number value = values[entry.place];
        result.values[at]  = first ? value : result.values[at] + value;
      });
    return result;
  }


  template SparseMatrix
  collect_rows<double>(const RowMatrix<double> &, int);
  template SparseMatrix
  collect_rows<float>(const RowMatrix<float> &, int);
} // namespace tessera

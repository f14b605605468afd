#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/sparse_product.h>

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

    /// Returns the matrix that computes all entries that have rows from those
    /// that do not hang: the identity above the rows of hanging entries.
    SparseMatrix
    expansion(const Space &space)
    {
      const int nc                     = space.n_components;
      const int n_free                 = (space.n_owned + space.n_ghosts) * nc;
      const LinearConstraints &hanging = space.hanging;
      const auto is_fixed              = [&](const int entry) {
        return std::binary_search(space.fixed.begin(), space.fixed.end(),
                                               entry);
      };
      SparseMatrix C;
      C.n_columns = n_free;
      C.pattern.row_start.push_back(0);
      int k = 0;
      for (int entry = 0; entry < space.n_stored() * nc; ++entry)
        {
          if (entry < n_free)
            {
              C.pattern.columns.push_back(entry);
              C.values.push_back(1.);
            }
          else if (k < hanging.size() && hanging.entry[k] == entry)
            {
              for (auto m = hanging.start[k]; m < hanging.start[k + 1]; ++m)
                if (const int source = hanging.source[m];
                    source < n_free && !is_fixed(source))
                  {
                    C.pattern.columns.push_back(source);
                    C.values.push_back(hanging.weight[m]);
                  }
              ++k;
            }
          C.pattern.row_start.push_back(
            static_cast<std::int64_t>(C.values.size()));
        }
      return C;
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


  template <class Number>
  SparseMatrix
  matrix_of_owned(const RowMatrix<Number> &rows, const Space &space)
  {
    SparseMatrix A = collect_rows(rows, space.n_stored() * space.n_components);
    if (space.n_hanging == 0)
      return A;
    // A has the diagonal entries of given values; the owners of ghosts have
    // the ones of ghosts.
    const auto times = [](const RowsView &left, const RowsView &right) {
      SparseRows product = product_pattern(left, right, Backend::host);
      multiply(left, right, product);
      return product;
    };
    const SparseRows C(expansion(space), Backend::host);
    return to_host(times(transpose(C).view(), times(view(A), C.view()).view()));
  }


#define INSTANTIATE(Number)                                                   \
  template SparseMatrix collect_rows<Number>(const RowMatrix<Number> &, int); \
  template SparseMatrix matrix_of_owned<Number>(const RowMatrix<Number> &,    \
                                                const Space &);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera

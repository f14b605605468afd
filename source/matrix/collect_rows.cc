#include <tessera/base/runtime.h>
#include <tessera/matrix/collect_rows.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    /// Nothing where `from` is null.
    template <class T>
    std::vector<T>
    to_host(const Backend backend, const T *const from, const std::size_t n)
    {
      if (from == nullptr || n == 0)
        return {};
      if (backend == Backend::host)
        return std::vector<T>(from, from + n);
      std::vector<T> values(n);
      runtime::copy(values.data(), from, sizeof(T) * n,
                    runtime::Copy::device_to_host);
      return values;
    }

    /// Rows of a matrix with all that they point to on the host.
    template <class Number>
    class HostRows
    {
    public:
      struct Entry
      {
        int column;
        Number value;
      };

      explicit HostRows(const RowMatrix<Number> &matrix)
        : HostRows(matrix.backend(), matrix.entries(), matrix.values().size())
      {}

      HostRows(const HostRows &) = delete;

      /// In the order of their columns, those of one column as they stand.
      void
      entries_of(const int row, std::vector<Entry> &entries) const
      {
        entries.clear();
        for (int k = 0; k < rows.length(row); ++k)
          {
            const auto place = rows.position(row, k);
            entries.push_back({columns[place], values[place]});
          }
        std::stable_sort(
          entries.begin(), entries.end(),
          [](const Entry &a, const Entry &b) { return a.column < b.column; });
      }

    private:
      HostRows(const Backend backend, const RowEntries<const Number> &from,
               const std::size_t n_places)
        : rows(from.rows), columns(to_host(backend, from.columns, n_places)),
          values(to_host(backend, from.values, n_places))
      {
        const std::size_t n = from.n_rows;
        // Where there are no lengths, a row ends where the next one begins.
        const std::size_t n_bases = n + (rows.lengths == nullptr);
        const auto keep = [&](auto &copy, auto *&pointer, const auto size) {
          copy    = to_host(backend, pointer, size);
          pointer = copy.empty() ? nullptr : copy.data();
        };
        keep(base_64, rows.base_64, n_bases);
        keep(base_32, rows.base_32, n_bases);
        keep(strides, rows.strides, n);
        keep(log2_threads, rows.log2_threads, n);
        keep(lengths, rows.lengths, n);
        keep(rest, rows.rest, n);
      }

      RowAddressing rows; ///< points to what follows
      std::vector<int> columns;
      std::vector<Number> values;
      std::vector<std::int64_t> base_64, rest;
      std::vector<std::int32_t> base_32, strides, lengths;
      std::vector<std::uint8_t> log2_threads;
    };
  } // namespace


  template <class Number>
  SparseMatrix
  collect_rows(const RowMatrix<Number> &matrix, const int n_columns)
  {
    const HostRows<Number> rows(matrix);
    const int n = matrix.n_rows();
    using Entry = typename HostRows<Number>::Entry;
    SparseMatrix result;
    result.n_columns                     = n_columns;
    std::vector<std::int64_t> &row_start = result.pattern.row_start;
    row_start.assign(n + std::size_t(1), 0);

    // Calls `put(row, i, entry, first)` with the number of its column within
    // the row, and whether it is the first one there.
    const auto for_all = [&](const auto &put) {
#pragma omp parallel
      {
        std::vector<Entry> entries;
#pragma omp for schedule(static)
        for (int row = 0; row < n; ++row)
          {
            rows.entries_of(row, entries);
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
    for_all([&](const int row, const int i, const Entry &entry,
                const bool first) {
      const std::int64_t at      = row_start[row] + i;
      result.pattern.columns[at] = entry.column;
      // Not 0 + value, which would lose the sign of a zero.
      result.values[at] = first ? entry.value : result.values[at] + entry.value;
    });
    return result;
  }


  template SparseMatrix
  collect_rows<double>(const RowMatrix<double> &, int);
  template SparseMatrix
  collect_rows<float>(const RowMatrix<float> &, int);
} // namespace tessera

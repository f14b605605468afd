#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/matrix/sparse_product.h>

#include <omp.h>

#include <algorithm>

#include "sparse_product.cuh"

namespace tessera
{
  namespace
  {
    /// The slots of all tables that are used at a time.
    constexpr std::int64_t max_slots = std::int64_t(1) << 26;

    /// Rows whose columns do not fit into a small table.
    class LongRows
    {
    public:
      LongRows(const ProductColumns &product, const Array<int> &count)
        : product(product)
      {
        const Backend backend = count.backend();
        if (algorithms::maximum(backend, count.data(),
                                std::int64_t(count.size())) <
            CollectProductRow::too_many)
          return;
        const auto counts = count.to_vector();
        for (std::size_t row = 0; row < counts.size(); ++row)
          if (counts[row] == CollectProductRow::too_many)
            rows.push_back(static_cast<int>(row));
        const Array<int> list(backend, rows);
        Array<std::int64_t> bound(backend, rows.size());
        for_each(backend, std::int64_t(rows.size()),
                 BoundOfProductRow{product, list.data(), bound.data()});
        if (backend == Backend::cuda)
          runtime::synchronize({});
        bounds = bound.to_vector();
      }

      /// Counts columns, or writes them if `columns` is not null, table after
      /// table as they fit into memory.
      void
      collect(int *const count, const std::int64_t *const row_start,
              int *const columns, const Backend backend) const
      {
        for (std::size_t first = 0; first < rows.size();)
          {
            std::vector<std::int64_t> starts = {0};
            std::size_t last                 = first;
            for (; last < rows.size(); ++last)
              {
                std::int64_t size = 1024;
                while (3 * size < 4 * (bounds[last] + 1))
                  size *= 2;
                if (last > first && starts.back() + size > max_slots)
                  break;
                starts.push_back(starts.back() + size);
              }
            const Array<int> list(
              backend,
              std::vector<int>(rows.begin() + first, rows.begin() + last));
            const Array<std::int64_t> of_tables(backend, starts);
            Array<int> slots(backend, starts.back());
            for_each(backend, std::int64_t(last - first),
                     CollectLongRow{product, list.data(), of_tables.data(),
                                    slots.data(), count, row_start, columns});
            if (backend == Backend::cuda)
              runtime::synchronize({});
            first = last;
          }
      }

    private:
      ProductColumns product;
      std::vector<int> rows;
      std::vector<std::int64_t> bounds;
    };

    /// Makes the pattern on the host, where a thread has a mark for each
    /// column: the last row that has it.
    void
    make_pattern_on_host(const ProductColumns &product, SparseRows &C)
    {
      const RowsView &a = product.a, &b = product.b;
      const int n_pieces =
        a.n_rows < 1000 ? 1 : 8 * std::min(omp_get_max_threads(), 32);
      std::vector<std::vector<int>> columns(n_pieces);
      Array<int> count(Backend::host, C.n_rows);
      const auto first_row = [&](const int piece) {
        return static_cast<int>(std::int64_t(a.n_rows) * piece / n_pieces);
      };
#pragma omp parallel
      {
        std::vector<int> marks(C.n_columns, -1);
#pragma omp for schedule(dynamic, 1)
        for (int piece = 0; piece < n_pieces; ++piece)
          for (int row = first_row(piece); row < first_row(piece + 1); ++row)
            {
              std::vector<int> &to    = columns[piece];
              const std::size_t begin = to.size();
              const auto add          = [&](const int column) {
                if (marks[column] != row)
                  to.push_back(column);
                marks[column] = row;
              };
              if (product.with_diagonal)
                add(row);
              for (auto k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
                for (auto l = b.row_start[a.columns[k]];
                     l < b.row_start[a.columns[k] + 1]; ++l)
                  add(b.columns[l]);
              std::sort(to.begin() + begin, to.end());
              count.data()[row] = static_cast<int>(to.size() - begin);
            }
      }
      C.row_start = starts_of(count);
      C.columns   = Array<int>(Backend::host, last_of(C.row_start));
#pragma omp parallel for schedule(dynamic, 1)
      for (int piece = 0; piece < n_pieces; ++piece)
        std::copy(columns[piece].begin(), columns[piece].end(),
                  C.columns.data() + C.row_start.data()[first_row(piece)]);
    }

    /// Computes the values on the host, where a thread has a place for each
    /// column.
    template <bool is_single>
    void
    multiply_on_host(const RowsView &a, const RowsView &b, SparseRows &C)
    {
      const std::int64_t *const row_start = C.row_start.data();
      const int *const columns            = C.columns.data();
#pragma omp parallel
      {
        std::vector<int> places(C.n_columns);
        const auto place_of = [&](const int column) { return places[column]; };
#pragma omp for schedule(dynamic, 256)
        for (int row = 0; row < C.n_rows; ++row)
          {
            const std::int64_t begin = row_start[row];
            const int n = static_cast<int>(row_start[row + 1] - begin);
            for (int k = 0; k < n; ++k)
              places[columns[begin + k]] = k;
            for (int i = 0; i < C.row_block; ++i)
              multiply_row<is_single>(
                a, b, row, i,
                C.values.data() +
                  (begin * C.row_block + std::int64_t(i) * n) * C.column_block,
                n, place_of);
          }
      }
    }

    bool
    has_pattern(const SparseRows &rows)
    {
      return rows.row_start.size() > 0;
    }
  } // namespace


  SparseRows
  product_pattern(const RowsView &A, const RowsView &B, const Backend backend,
                  const bool with_diagonal)
  {
    if (A.n_columns != B.n_rows || A.column_block != B.row_block)
      throw ParameterError(
        "A product was given " + std::to_string(A.n_columns) +
        " columns of blocks of " + std::to_string(A.column_block) + " and " +
        std::to_string(B.n_rows) + " rows of blocks of " +
        std::to_string(B.row_block) + ", which must be the same.");
    const ProductColumns product{A, B, with_diagonal};
    SparseRows C;
    C.n_rows       = A.n_rows;
    C.n_columns    = B.n_columns;
    C.row_block    = A.row_block;
    C.column_block = B.column_block;
    if (backend == Backend::host)
      {
        make_pattern_on_host(product, C);
        return C;
      }
    Array<int> count(backend, A.n_rows);
    for_each(backend, A.n_rows,
             CollectProductRow{product, count.data(), nullptr, nullptr});
    runtime::synchronize({});
    const LongRows long_rows(product, count);
    long_rows.collect(count.data(), nullptr, nullptr, backend);
    C.row_start = starts_of(count);
    C.columns   = Array<int>(backend, last_of(C.row_start));
    for_each(backend, A.n_rows,
             CollectProductRow{product, nullptr, C.row_start.data(),
                               C.columns.data()});
    long_rows.collect(nullptr, C.row_start.data(), C.columns.data(), backend);
    runtime::synchronize({});
    return C;
  }


  void
  multiply(const RowsView &A, const RowsView &B, SparseRows &C)
  {
    const Backend backend = C.backend();
    const auto n          = std::int64_t(A.n_rows) * A.row_block;
    if (C.values.size() == 0)
      C.values = Array<double>(backend, C.n_nonzeros());
    const bool is_single = A.row_block * A.column_block * B.column_block == 1;
    if (backend == Backend::host)
      return is_single ? multiply_on_host<true>(A, B, C)
                       : multiply_on_host<false>(A, B, C);
    if (is_single)
      for_each(backend, n,
               MultiplyRow<true>{A, B, C.row_start.data(), C.columns.data(),
                                 C.values.data()});
    else
      for_each(backend, n,
               MultiplyRow<false>{A, B, C.row_start.data(), C.columns.data(),
                                  C.values.data()});
    if (backend == Backend::cuda)
      runtime::synchronize({});
  }


  void
  galerkin_product(const RowsView &A, const SparseRows &P,
                   const SparseRows &transposed, SparseRows &half,
                   SparseRows &coarse)
  {
    const Backend backend = P.backend();
    if (!has_pattern(half))
      half = product_pattern(A, P.view(), backend);
    multiply(A, P.view(), half);
    if (!has_pattern(coarse))
      coarse = product_pattern(transposed.view(), half.view(), backend, true);
    multiply(transposed.view(), half.view(), coarse);
    for_each(backend, std::int64_t(coarse.n_rows) * coarse.row_block,
             OneOnEmptyDiagonal{coarse.row_block, coarse.row_start.data(),
                                coarse.columns.data(), coarse.values.data()});
    if (backend == Backend::cuda)
      runtime::synchronize({});
  }
} // namespace tessera

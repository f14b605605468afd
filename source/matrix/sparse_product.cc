#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/matrix/sparse_product.h>

#include <omp.h>

#include <algorithm>
#include <memory>

#include "../base/rounded_product.h"
#include "sparse_product_kernels.h"

namespace tessera
{
  namespace
  {
    /// The slots of all tables that are used at a time.
    constexpr std::int64_t max_slots = std::int64_t(1) << 26;

    /// Rows whose columns do not fit into a table on chip.
    class LongRows
    {
    public:
      LongRows(const ProductColumns &product, const Array<int> &count)
      {
        const Backend backend     = count.backend();
        const auto columns_of_row = count.to_vector();
        for (std::size_t row = 0; row < columns_of_row.size(); ++row)
          if (columns_of_row[row] == RowsToCollect::too_many)
            rows.push_back(static_cast<int>(row));
        const Array<int> list(backend, rows);
        Array<std::int64_t> bound(backend, rows.size());
        for_each(backend, std::int64_t(rows.size()),
                 BoundOfProductRow{product, list.data(), bound.data()});
        runtime::synchronize({});
        bounds = bound.to_vector();
      }

      /// Counts columns, or writes them, table after table as they fit into
      /// memory.
      void
      collect(RowsToCollect work, const Backend backend) const
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
                if (last > first && starts.back() + 2 * size > max_slots)
                  break;
                starts.push_back(starts.back() + 2 * size);
              }
            const Array<int> list(
              backend,
              std::vector<int>(rows.begin() + first, rows.begin() + last));
            const Array<std::int64_t> of_tables(backend, starts);
            Array<int> slots(backend, starts.back());
            work.rows  = list.data();
            work.first = of_tables.data();
            work.slots = slots.data();
            collect_listed_rows(work, std::int64_t(last - first));
            runtime::synchronize({});
            first = last;
          }
      }

    private:
      std::vector<int> rows;
      std::vector<std::int64_t> bounds;
    };

    double
    mean_length(const RowsView &rows)
    {
      std::int64_t n = 0;
      if (rows.n_rows == 0)
        return 0;
      runtime::copy(&n, rows.row_start + rows.n_rows, sizeof(n),
                    runtime::Copy::device_to_host);
      return double(n) / rows.n_rows;
    }

    /// How many threads make a row, and how many of them read a row of B.
    struct Teams
    {
      /// Rows of so many products are for small teams. Measured on an H200
      /// (2026-11-27), patterns and values: 10 million quadrilaterals took 25,
      /// 23 and 23 ms with 128, 256 and 512, a million hexahedra 14, 12 and
      /// 13 ms.
      static constexpr int products_of_small = 256;

      bool are_small;
      int log2_readers = 0;

      /// B has `width` values for each entry of a row. With `few_readers`
      /// threads have two entries of a row of B, which suits searches in
      /// tables: they took a quarter less time, and products that are added one
      /// after the other a fifth more.
      Teams(const RowsView &A, const RowsView &B, const int width,
            const bool few_readers)
      {
        const double of_b   = mean_length(B) * width;
        are_small           = mean_length(A) * of_b <= products_of_small;
        const int threads   = are_small ? SmallTeam::lanes : LargeTeam::lanes;
        const double enough = few_readers ? of_b / 2 : of_b;
        for (int readers = 1; readers < threads && readers < enough;
             readers *= 2)
          ++log2_readers;
      }
    };

    /// Teams of the device count columns, and then find them again and write
    /// them.
    void
    make_pattern_on_device(const ProductColumns &product, SparseRows &C)
    {
      const Backend backend = Backend::cuda;
      const Teams teams(product.a, product.b, 1, true);
      Array<int> count(backend, C.n_rows);
      RowsToCollect work{product,         teams.log2_readers,
                         teams.are_small, count.data(),
                         nullptr,         nullptr};
      std::unique_ptr<const LongRows> long_rows;
      int most           = RowsToCollect::too_many;
      const auto longest = [&]() {
        return algorithms::maximum(backend, count.data(), C.n_rows);
      };
      const auto collect = [&]() {
        if (teams.are_small)
          collect_rows<SmallTeam>(work);
        if (teams.are_small && work.count != nullptr)
          most = longest();
        if (most > SmallTeam::most)
          collect_rows<LargeTeam>(work);
      };
      collect();
      if (most == RowsToCollect::too_many && longest() == most)
        {
          long_rows = std::make_unique<const LongRows>(product, count);
          long_rows->collect(work, backend);
        }
      C.row_start    = starts_of(count);
      C.columns      = Array<int>(backend, last_of(C.row_start));
      work.count     = nullptr;
      work.row_start = C.row_start.data();
      work.columns   = C.columns.data();
      collect();
      if (long_rows != nullptr)
        long_rows->collect(work, backend);
      runtime::synchronize({});
    }

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
        std::vector<int> marks(C.n_columns, -1), found;
#pragma omp for schedule(dynamic, 1)
        for (int piece = 0; piece < n_pieces; ++piece)
          for (int row = first_row(piece); row < first_row(piece + 1); ++row)
            {
              std::int64_t most = 2; // the diagonal, and one behind the last
              for (auto k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
                most += b.length(a.columns[k]);
              if (most > std::int64_t(found.size()))
                found.resize(most);
              int n = 0;
              // A branch for columns that are new would often be predicted
              // wrong.
              const auto add = [n = &n, list = found.data(),
                                mark = marks.data(), row](const int column) {
                list[*n] = column;
                *n += mark[column] != row ? 1 : 0;
                mark[column] = row;
              };
              if (product.with_diagonal)
                add(row);
              for (auto k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
                {
                  const int *const of_b = b.columns_of(a.columns[k]);
                  const int n_b         = b.length(a.columns[k]);
                  for (int l = 0; l < n_b; ++l)
                    add(of_b[l]);
                }
              std::sort(found.begin(), found.begin() + n);
              columns[piece].insert(columns[piece].end(), found.begin(),
                                    found.begin() + n);
              count.data()[row] = n;
            }
      }
      C.row_start = starts_of(count);
      C.columns   = Array<int>(Backend::host, last_of(C.row_start));
#pragma omp parallel for schedule(dynamic, 1)
      for (int piece = 0; piece < n_pieces; ++piece)
        std::copy(columns[piece].begin(), columns[piece].end(),
                  C.columns.data() + C.row_start.data()[first_row(piece)]);
    }

    /// Computes component i of a row of C = A B: c, [n][column_block of B],
    /// where places[column] is the place of a column among the n of the row.
    /// If all blocks have one entry, `is_single` leaves out the loops over
    /// blocks.
    template <bool is_single>
    void
    multiply_row(const RowsView &a, const RowsView &b, const int row,
                 const int i, double *const c, const int n,
                 const int *const places)
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
              double *const to = c + places[of_b[l]] * cb;
              for (int q = 0; q < kb; ++q)
                for (int j = 0; j < cb; ++j)
                  to[j] += rounded_product(a_row[k * kb + q],
                                           b_row[(q * n_b + l) * cb + j]);
            }
        }
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
                n, places.data());
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
    make_pattern_on_device(product, C);
    return C;
  }


  void
  multiply(const RowsView &A, const RowsView &B, SparseRows &C)
  {
    const Backend backend = C.backend();
    if (C.values.size() == 0)
      C.values = Array<double>(backend, C.n_nonzeros());
    if (backend == Backend::host)
      return A.row_block * A.column_block * B.column_block == 1
               ? multiply_on_host<true>(A, B, C)
               : multiply_on_host<false>(A, B, C);
    const Teams teams(A, B, B.column_block, false);
    if (teams.are_small)
      multiply_rows<SmallTeam>(A, B, teams.log2_readers, C);
    else
      multiply_rows<LargeTeam>(A, B, teams.log2_readers, C);
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

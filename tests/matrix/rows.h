#pragma once

#include "oracle.h"
#include "problems.h"
#include "test.h"

#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/row_operator.h>

#include <numeric>

// Rows made by hand, unlike the rows of any mesh, and the results of a serial
// loop for them.
namespace tessera::test
{
  struct Rows
  {
    std::string name;
    int n_columns;
    std::vector<int> lengths;
  };

  /// Returns lengths in [least, most] in steps of `step`.
  inline std::vector<int>
  lengths(const int n, const int least, const int most, const int step = 1)
  {
    std::vector<int> result(n);
    for (int row = 0; row < n; ++row)
      result[row] = least + step * (row * 7 % ((most - least) / step + 1));
    return result;
  }

  inline std::vector<Rows>
  all_rows()
  {
    return {{"one entry", 1, {1}},
            {"one empty row", 5, {0}},
            {"one long row", 3000, {3000}},
            {"empty rows alone", 40, std::vector<int>(40, 0)},
            {"31 rows", 80, lengths(31, 0, 11)},
            {"33 rows, even", 90, lengths(33, 0, 40, 2)},
            {"33 rows, odd", 90, lengths(33, 1, 41, 2)},
            {"129 short rows", 129, lengths(129, 0, 14)},
            {"129 rows, even", 140, lengths(129, 22, 38, 2)},
            {"129 rows, odd", 140, lengths(129, 21, 39, 2)},
            {"129 long rows", 200, lengths(129, 30, 110)},
            {"longer than a tile", 3000, std::vector<int>(5, 3000)},
            {"just a tile, one more, one less", 2600, {2560, 2561, 2559, 1}},
            {"long among empty ones", 6000, {0, 0, 6000, 0, 3, 0, 0, 2999, 0}},
            {"ends empty", 100, {100, 50, 0, 0, 0}},
            {"more rows than columns", 3, lengths(129, 0, 3)}};
  }

  /// Returns those with at most 1000 entries: 1, 31, 33 and 129 rows.
  inline std::vector<Rows>
  few_rows()
  {
    std::vector<Rows> result;
    for (const Rows &rows : all_rows())
      if (std::accumulate(rows.lengths.begin(), rows.lengths.end(), 0) <= 1000)
        result.push_back(rows);
    return result;
  }

  /// Calls check(Number(), backend, rows) for all rows on every backend.
  template <class Check>
  void
  on_all_rows(const Check &check)
  {
    for (const Backend backend : backends())
      for (const Rows &rows : all_rows())
        {
          SCOPED_TRACE(to_string(backend) + ", " + rows.name);
          check(double(), backend, rows);
          check(float(), backend, rows);
        }
  }

  /// Returns rows of the given lengths with random columns in ascending order.
  inline SparsityPattern
  make_pattern(const Rows &rows)
  {
    std::mt19937 generator(11);
    SparsityPattern pattern;
    pattern.row_start = {0};
    std::vector<int> all(rows.n_columns), chosen;
    std::iota(all.begin(), all.end(), 0);
    for (const int length : rows.lengths)
      {
        chosen.clear();
        std::sample(all.begin(), all.end(), std::back_inserter(chosen), length,
                    generator);
        pattern.columns.insert(pattern.columns.end(), chosen.begin(),
                               chosen.end());
        pattern.row_start.push_back(pattern.columns.size());
      }
    return pattern;
  }

  template <class Number, class Stored>
  std::vector<Number>
  as(const std::vector<Stored> &values)
  {
    return {values.begin(), values.end()};
  }

  /// Returns the columns of all places, with padding.
  template <class Number>
  std::vector<int>
  columns_of(const RowMatrix<Number> &matrix)
  {
    return copy_of(matrix.backend(), matrix.columns(), matrix.values().size());
  }

  /// A pattern with values that Stored can hold, vectors, and their products.
  template <class Number, class Stored = Number>
  struct RowProblem
  {
    SparsityPattern pattern;
    int n, n_tail;
    std::vector<Number> a; ///< in the order of the pattern
    std::vector<Number> x, b, diagonal;
    std::vector<double> product, scale, sum, sum_scale;
    double dot = 0, dot_scale = 0;

    explicit RowProblem(const Rows &rows)
      : RowProblem(make_pattern(rows), rows.n_columns)
    {}

    RowProblem(SparsityPattern rows, const int n_columns)
      : pattern(std::move(rows)), n(pattern.n_rows()),
        n_tail(std::max(n_columns - n, 0)),
        a(as<Number>(random_values<Stored>(pattern.columns.size(), 2))),
        x(random_values<Number>(n + n_tail, 3)),
        b(random_values<Number>(n + n_tail, 4)), diagonal(n, 0), product(n, 0),
        scale(n, 0), sum(n), sum_scale(n)
    {
      for (int row = 0; row < n; ++row)
        {
          for (auto k = pattern.row_start[row]; k < pattern.row_start[row + 1];
               ++k)
            {
              const double term =
                static_cast<double>(a[k]) * x[pattern.columns[k]];
              product[row] += term;
              scale[row] += std::abs(term);
              if (pattern.columns[k] == row)
                diagonal[row] = a[k];
            }
          sum[row]       = b[row] + product[row];
          sum_scale[row] = std::abs(double(b[row])) + scale[row];
          dot += x[row] * product[row];
          dot_scale += std::abs(x[row]) * scale[row];
        }
    }

    int
    length(const int row) const
    {
      return static_cast<int>(pattern.row_start[row + 1] -
                              pattern.row_start[row]);
    }

    /// Returns `n_places` values: entry k of a row is at `place(row, k)`.
    template <class Place>
    std::vector<Number>
    values_at(const std::size_t n_places, const Place &place) const
    {
      std::vector<Number> values(n_places, Number(0));
      for (int row = 0; row < n; ++row)
        for (int k = 0; k < length(row); ++k)
          values.at(place(row, k)) = a[pattern.row_start[row] + k];
      return values;
    }

    /// Checks epilogues and the diagonal of an operator with these values.
    void
    check(const RowOperator<Number> &A) const
    {
      const Backend backend = A.backend();
      ASSERT_EQ(A.n_owned(), n);
      ASSERT_EQ(A.n_tail(), n_tail);
      EXPECT_EQ(A.matrix().n_nonzeros(), pattern.n_nonzeros());
      EXPECT_EQ(A.matrix().max_row_length(), pattern.max_row_length());
      Vector<Number> from = A.make_vector(), to = A.make_vector();
      from.copy_from(x);
      to.copy_from(b);
      A.vmult(to, from);
      const auto stored = owned_values(to);
      EXPECT_LT(rounding_units(stored, product, scale), rounding_limit);
      // Entries behind the rows must not be written.
      const auto whole = to.to_vector();
      EXPECT_TRUE(std::equal(whole.begin() + n, whole.end(), b.begin() + n));

      to.copy_from(b);
      A.vmult(to, from, Epilogue<Number>::add());
      EXPECT_LT(rounding_units(owned_values(to), sum, sum_scale),
                rounding_limit);

      Array<double> result(backend, 1);
      std::vector<double> first;
      for (int run = 0; run < 2; ++run)
        {
          result.copy_from({-1});
          A.vmult(to, from, Epilogue<Number>::dot(result.data()));
          EXPECT_EQ(owned_values(to), stored);
          const std::vector<Number> as_number = {Number(result.to_vector()[0])};
          EXPECT_LT(rounding_units(as_number, {dot}, {dot_scale}),
                    rounding_limit);
          if (run == 0)
            first = result.to_vector();
          EXPECT_EQ(result.to_vector(), first);
        }

      A.diagonal(to);
      EXPECT_EQ(owned_values(to), diagonal);
    }
  };
} // namespace tessera::test

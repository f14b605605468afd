#pragma once

#include "test.h"

#include <tessera/base/error.h>
#include <tessera/base/random.h>
#include <tessera/matrix/sparse_matrix.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>

// Requirements on every generated matrix.
namespace tessera::test
{
  inline int
  row_length(const SparseMatrix &matrix, const int row)
  {
    return static_cast<int>(matrix.pattern.row_start[row + 1] -
                            matrix.pattern.row_start[row]);
  }

  inline std::vector<int>
  sorted_lengths(const SparseMatrix &matrix)
  {
    std::vector<int> lengths;
    for (int row = 0; row < matrix.n_rows(); ++row)
      lengths.push_back(row_length(matrix, row));
    std::sort(lengths.begin(), lengths.end());
    return lengths;
  }

  /// Calls f(row, column, value) for all entries.
  template <class F>
  void
  for_each_entry(const SparseMatrix &matrix, const F &f)
  {
    for (int row = 0; row < matrix.n_rows(); ++row)
      for (auto k = matrix.pattern.row_start[row];
           k < matrix.pattern.row_start[row + 1]; ++k)
        f(row, matrix.pattern.columns[k], matrix.values[k]);
  }

  /// Returns the entry at a place, or 0 if there is none.
  inline double
  entry(const SparseMatrix &matrix, const int i, const int j)
  {
    for (auto k = matrix.pattern.row_start[i];
         k < matrix.pattern.row_start[i + 1]; ++k)
      if (matrix.pattern.columns[k] == j)
        return matrix.values[k];
    return 0;
  }

  /// Expects ascending, legal columns, values that are numbers and not 0, and
  /// rows of at least `least` entries.
  inline void
  check_form(const SparseMatrix &matrix, const int least = 1)
  {
    const std::vector<std::int64_t> &start = matrix.pattern.row_start;
    ASSERT_FALSE(start.empty());
    ASSERT_EQ(start[0], 0);
    for (int row = 0; row < matrix.n_rows(); ++row)
      ASSERT_GE(start[row + 1] - start[row], least) << row;
    ASSERT_EQ(matrix.pattern.columns.size(), std::size_t(start.back()));
    ASSERT_EQ(matrix.values.size(), std::size_t(start.back()));
    int last_row = -1, last = -1;
    for_each_entry(matrix, [&](const int row, const int j, const double value) {
      if (row != last_row)
        last = -1;
      ASSERT_GT(j, last) << row;
      ASSERT_LT(j, matrix.n_columns) << row;
      ASSERT_TRUE(std::isfinite(value) && value != 0) << row << " " << j;
      last_row = row;
      last     = j;
    });
  }

  /// Expects a_ij = a_ji < 0 for i != j and a_ii = 1 + sum |a_ij|, bit by bit.
  inline void
  check_symmetric_values(const SparseMatrix &matrix)
  {
    ASSERT_EQ(matrix.n_columns, matrix.n_rows());
    std::vector<double> sum(matrix.n_rows(), 1), diagonal(matrix.n_rows(), 0);
    for_each_entry(matrix, [&](const int i, const int j, const double value) {
      if (i == j)
        {
          diagonal[i] = value;
          return;
        }
      ASSERT_EQ(entry(matrix, j, i), value) << i << " " << j;
      ASSERT_TRUE(value <= -0.5 && value > -1);
      sum[i] -= value;
    });
    EXPECT_EQ(sum, diagonal);
  }

  /// Returns a checksum of shape, places and, unless they may round differently
  /// on other machines, the bits of the values.
  inline std::uint64_t
  checksum(const SparseMatrix &matrix, const bool of_values = true)
  {
    std::uint64_t sum = mix(matrix.n_rows()) ^ std::uint64_t(matrix.n_columns);
    for (const std::int64_t start : matrix.pattern.row_start)
      sum = mix(sum ^ std::uint64_t(start));
    for (const int column : matrix.pattern.columns)
      sum = mix(sum ^ std::uint64_t(column));
    for (const double value : matrix.values)
      {
        std::uint64_t bits = 0;
        if (of_values)
          std::memcpy(&bits, &value, sizeof(bits));
        sum = mix(sum ^ bits);
      }
    return sum;
  }

  /// Expects `make()` to give the same matrix again, also with 1 to 3 threads.
  template <class Make>
  void
  check_repeatable(const Make &make)
  {
    const std::uint64_t sum = checksum(make());
    const int n_threads     = omp_get_max_threads();
    for (const int n : {n_threads, 1, 2, 3})
      {
        omp_set_num_threads(n);
        EXPECT_EQ(checksum(make()), sum) << n << " threads";
      }
    omp_set_num_threads(n_threads);
  }

  /// Expects the same matrix for any number of threads and another one for
  /// another seed. Returns the matrix's checksum.
  template <class Parameters>
  std::uint64_t
  check_seed(Parameters parameters)
  {
    const std::uint64_t first = checksum(generate(parameters));
    check_repeatable([&] { return generate(parameters); });
    ++parameters.seed;
    EXPECT_NE(checksum(generate(parameters)), first);
    return first;
  }

  /// Expects parameters to be legal, and no longer so after `change`.
  template <class Parameters, class Change>
  void
  check_refused(Parameters parameters, const Change &change)
  {
    EXPECT_NO_THROW(generate(parameters));
    change(parameters);
    EXPECT_THROW(generate(parameters), ParameterError);
  }
} // namespace tessera::test

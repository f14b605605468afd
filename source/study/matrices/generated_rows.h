#pragma once

#include <tessera/base/error.h>
#include <tessera/base/random.h>
#include <tessera/matrix/sparse_matrix.h>

#include <algorithm>
#include <cmath>
#include <string>

// Generators of matrices share these: rows made by all threads, and values.
namespace tessera::generated_rows
{
  inline void
  require(const bool condition, const std::string &sentence)
  {
    if (!condition)
      throw ParameterError(sentence);
  }

  /// Makes rows with `length(row)` entries. `fill(row, columns)` writes the
  /// columns of a row; values are 0.
  template <class Length, class Fill>
  SparseMatrix
  make_rows(const int n_rows, const int n_columns, const Length &length,
            const Fill &fill)
  {
    SparseMatrix matrix;
    matrix.n_columns                 = n_columns;
    std::vector<std::int64_t> &start = matrix.pattern.row_start;
    start.assign(std::size_t(n_rows) + 1, 0);
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n_rows; ++row)
      start[row + 1] = length(row);
    for (int row = 0; row < n_rows; ++row)
      start[row + 1] += start[row];
    matrix.pattern.columns.resize(start.back());
    matrix.values.resize(start.back());
    int *const columns = matrix.pattern.columns.data();
#pragma omp parallel for schedule(guided)
    for (int row = 0; row < n_rows; ++row)
      fill(row, columns + start[row]);
    return matrix;
  }

  /// Returns 64 bits that depend on seed and place; (i, j) and (j, i) differ.
  inline std::uint64_t
  bits_of_place(const std::uint64_t mixed_seed, const int i, const int j)
  {
    return mix(mixed_seed ^ (std::uint64_t(i) << 32 | std::uint32_t(j)));
  }

  /// Returns a multiple of 2^-20 in [1/2, 1).
  inline double
  size_of_bits(const std::uint64_t bits)
  {
    return 0.5 + static_cast<double>(bits >> 45) * 0x1p-20;
  }

  /// Sets random values of sizes in [1/2, 1). If `dominant`, the diagonal is 1
  /// plus the sum of the sizes of the other entries of a row.
  inline void
  set_values(SparseMatrix &matrix, const std::uint64_t seed,
             const bool dominant = false)
  {
    const std::uint64_t mixed = mix(seed);
#pragma omp parallel for schedule(guided)
    for (int row = 0; row < matrix.n_rows(); ++row)
      {
        double sum = 1;
        for (std::int64_t k = matrix.pattern.row_start[row];
             k < matrix.pattern.row_start[row + 1]; ++k)
          {
            const std::uint64_t bits =
              bits_of_place(mixed, row, matrix.pattern.columns[k]);
            const double size = size_of_bits(bits);
            matrix.values[k]  = bits % 2 == 0 ? size : -size;
            sum += size;
          }
        if (dominant)
          for (std::int64_t k = matrix.pattern.row_start[row];
               k < matrix.pattern.row_start[row + 1]; ++k)
            if (matrix.pattern.columns[k] == row)
              matrix.values[k] = sum - std::abs(matrix.values[k]);
      }
  }

  /// Sets the symmetric values of matrix_generator.h. Rows must have diagonals.
  inline void
  set_symmetric_values(SparseMatrix &matrix, const std::uint64_t seed)
  {
    const std::uint64_t mixed = mix(seed);
#pragma omp parallel for schedule(guided)
    for (int row = 0; row < matrix.n_rows(); ++row)
      {
        double sum            = 1;
        std::int64_t diagonal = 0;
        for (std::int64_t k = matrix.pattern.row_start[row];
             k < matrix.pattern.row_start[row + 1]; ++k)
          {
            const int column = matrix.pattern.columns[k];
            if (column == row)
              {
                diagonal = k;
                continue;
              }
            const double size = size_of_bits(bits_of_place(
              mixed, std::min(row, column), std::max(row, column)));
            matrix.values[k]  = -size;
            sum += size;
          }
        matrix.values[diagonal] = sum;
      }
  }
} // namespace tessera::generated_rows

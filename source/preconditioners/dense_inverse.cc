#include "dense_inverse.h"

#include <tessera/base/error.h>

#include <cmath>
#include <iomanip>
#include <limits>
#include <numeric>
#include <sstream>

namespace tessera
{
  namespace
  {
    double
    dot(const double *const a, const double *const b, const std::int64_t n)
    {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t i = 0; i < n; ++i)
        sum += a[i] * b[i];
      return sum;
    }

    [[noreturn]] void
    refuse(const std::int64_t row, const std::int64_t n, const double pivot,
           const double diagonal)
    {
      std::ostringstream text;
      text << std::setprecision(3)
           << "The matrix of the coarsest multigrid level is not positive "
              "definite: pivot "
           << row + 1 << " of " << n << " is " << pivot
           << ", of a diagonal entry " << diagonal
           << "; boundary values that are missing or coefficients that differ "
              "by more than the number type has digits may be the reason. "
              "Double has more digits than float, and jacobi needs no such "
              "matrix.";
      throw MatrixError(text.str());
    }
  } // namespace


  /// With A = L L^T, row c of `inverse_factor` is column c of L^-1, so that all
  /// sums go along rows.
  SparseMatrix
  dense_inverse(const SparseMatrix &matrix)
  {
    const std::int64_t n = matrix.n_rows();
    std::vector<double> factor(n * n, 0.), inverse_factor(n * n, 0.);
    const auto &start = matrix.pattern.row_start;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = start[i]; k < start[i + 1]; ++k)
        factor[n * i + matrix.pattern.columns[k]] = matrix.values[k];

    double *const l       = factor.data();
    const double smallest = 16 * n * std::numeric_limits<double>::epsilon();
    for (std::int64_t j = 0; j < n; ++j)
      {
        const double diagonal = l[n * j + j];
        const double pivot    = diagonal - dot(l + n * j, l + n * j, j);
        if (!(pivot > smallest * diagonal) || !std::isfinite(pivot))
          refuse(j, n, pivot, diagonal);
        const double root = std::sqrt(pivot);
        l[n * j + j]      = root;
#pragma omp parallel for schedule(static) if (n - j > 128)
        for (std::int64_t i = j + 1; i < n; ++i)
          l[n * i + j] = (l[n * i + j] - dot(l + n * i, l + n * j, j)) / root;
      }

    double *const y = inverse_factor.data();
#pragma omp parallel for schedule(dynamic, 8)
    for (std::int64_t c = 0; c < n; ++c)
      {
        y[n * c + c] = 1 / l[n * c + c];
        for (std::int64_t i = c + 1; i < n; ++i)
          y[n * c + i] =
            -dot(l + n * i + c, y + n * c + c, i - c) / l[n * i + i];
      }

    SparseMatrix result;
    result.n_columns = static_cast<int>(n);
    result.values.resize(n * n);
    result.pattern.row_start.resize(n + 1);
    result.pattern.columns.resize(n * n);
    for (std::int64_t i = 0; i <= n; ++i)
      result.pattern.row_start[i] = n * i;
    for (std::int64_t i = 0; i < n; ++i)
      std::iota(result.pattern.columns.begin() + n * i,
                result.pattern.columns.begin() + n * (i + 1), 0);
#pragma omp parallel for schedule(dynamic, 8)
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j <= i; ++j)
        result.values[n * i + j] = result.values[n * j + i] =
          dot(y + n * i + i, y + n * j + i, n - i);
    return result;
  }
} // namespace tessera

#include "dense_inverse.h"

#include <tessera/base/error.h>
#include <tessera/base/target.h>

#include <omp.h>

#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>

#include "../operators/dense_kernels.h"

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

    /// Returns the entries of the inverse, [n][n]. With A = L L^T, row c of
    /// `inverse_factor` is column c of L^-1, so that all sums go along rows.
    template <class Number>
    std::vector<Number>
    inverse_of(const SparseMatrix &matrix)
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

      std::vector<Number> result(n * n);
#pragma omp parallel for schedule(dynamic, 8)
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j)
          result[n * i + j] = result[n * j + i] =
            static_cast<Number>(dot(y + n * i + i, y + n * j + i, n - i));
      return result;
    }
  } // namespace


  template <class Number>
  std::future<std::vector<Number>>
  DenseInverse<Number>::begin(SparseMatrix matrix, const Backend backend)
  {
    return std::async(
      backend == Backend::cuda ? std::launch::async : std::launch::deferred,
      [matrix = std::move(matrix), n_threads = omp_get_max_threads()]() {
        omp_set_num_threads(n_threads);
        return inverse_of<Number>(matrix);
      });
  }


  template <class Number>
  DenseInverse<Number>::DenseInverse(const std::vector<Number> &entries,
                                     const Backend backend)
    : n(static_cast<int>(std::lround(std::sqrt(entries.size())))),
      values(backend, entries)
  {}

  template <class Number>
  void
  DenseInverse<Number>::apply(Vector<Number> &x, const Vector<Number> &b,
                              const Stream stream) const
  {
    on_target(values.backend(), [&](const auto target) {
      apply_dense(target,
                  DenseApply<Number>{{n, b.data(), x.data(), false, {}},
                                     n,
                                     values.data(),
                                     n >= shortest_row_of_block},
                  stream);
    });
  }

  template class DenseInverse<double>;
  template class DenseInverse<float>;
} // namespace tessera

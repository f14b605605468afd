#pragma once

#include <tessera/base/random.h>
#include <tessera/matrix/sparse_matrix.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::spmv
{
  /// What products are measured against: y = A x by a serial loop in double
  /// with the values rounded to Number, and the scale of its rounding errors,
  ///   scale_i = sum_j (|a_ij| |x_j| + smallest / eps),
  /// where what is below the smallest normal Number may be lost.
  struct MatrixOracle
  {
    std::vector<double> x; ///< [max(rows, columns)]
    std::vector<double> y, scale;
  };

  /// x holds seeded values in [-1, 1] that are exact in float.
  template <class Number>
  MatrixOracle
  make_matrix_oracle(const SparseMatrix &A, const std::uint64_t seed)
  {
    using Limits = std::numeric_limits<Number>;
    constexpr double lost =
      static_cast<double>(Limits::min()) / Limits::epsilon();
    MatrixOracle result;
    RandomSequence random(seed);
    result.x.resize(std::max(A.n_rows(), A.n_columns));
    for (double &x : result.x)
      x = static_cast<double>(random.next() >> 41) / (1 << 22) - 1;
    result.y.assign(A.n_rows(), 0.);
    result.scale.assign(A.n_rows(), 0.);
    for (int row = 0; row < A.n_rows(); ++row)
      for (auto k = A.pattern.row_start[row]; k < A.pattern.row_start[row + 1];
           ++k)
        {
          const double value = static_cast<Number>(A.values[k]);
          const double term  = value * result.x[A.pattern.columns[k]];
          result.y[row] += term;
          result.scale[row] += std::abs(term) + lost;
        }
    return result;
  }

  /// max |y_i - y_ref_i| / (eps scale_i), eps of the number type; infinite
  /// where y is not a number, or not 0 where the scale is.
  template <class Number>
  double
  error(const MatrixOracle &oracle, const std::vector<Number> &y)
  {
    constexpr double eps = std::numeric_limits<Number>::epsilon();
    double worst         = 0;
    for (std::size_t i = 0; i < oracle.y.size(); ++i)
      {
        const double difference = std::abs(y[i] - oracle.y[i]);
        if (!(difference <= worst * eps * oracle.scale[i]))
          worst = oracle.scale[i] > 0 ? difference / (eps * oracle.scale[i])
                                      : std::numeric_limits<double>::infinity();
        if (std::isnan(worst))
          return std::numeric_limits<double>::infinity();
      }
    return worst;
  }
} // namespace tessera::spmv

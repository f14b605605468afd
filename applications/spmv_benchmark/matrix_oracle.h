#pragma once

#include <tessera/base/random.h>
#include <tessera/matrix/sparse_matrix.h>
#include <tessera/operators/operator.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::spmv
{
  /// The reference of products: y = A x by a serial loop in double, with values
  /// rounded to Number, and sum_j |a_ij| |x_j|.
  struct MatrixOracle
  {
    std::vector<double> x; ///< [max(rows, columns)]
    std::vector<double> y, scale;
    std::vector<double> lengths; ///< of rows
  };

  /// Makes an oracle; x has seeded values in [-1, 1] that are exact in float.
  template <class Number>
  MatrixOracle
  make_matrix_oracle(const SparseMatrix &A, const std::uint64_t seed)
  {
    MatrixOracle result;
    RandomSequence random(seed);
    result.x.resize(std::max(A.n_rows(), A.n_columns));
    for (double &x : result.x)
      x = static_cast<double>(random.next() >> 41) / (1 << 22) - 1;
    result.y.assign(A.n_rows(), 0.);
    result.scale.assign(A.n_rows(), 0.);
    const auto &start = A.pattern.row_start;
    for (int row = 0; row < A.n_rows(); ++row)
      {
        result.lengths.push_back(
          static_cast<double>(start[row + 1] - start[row]));
        for (auto k = start[row]; k < start[row + 1]; ++k)
          {
            const double value = static_cast<Number>(A.values[k]);
            const double term  = value * result.x[A.pattern.columns[k]];
            result.y[row] += term;
            result.scale[row] += std::abs(term);
          }
      }
    return result;
  }

  /// Returns max |y_i - y_ref_i| / (sum_j (eps |a_ij| |x_j| + smallest));
  /// values below the smallest normal number may be lost. Infinite if y has a
  /// value that is not a number, or is not 0 in an empty row.
  template <class Number>
  double
  error(const MatrixOracle &oracle, const std::vector<Number> &y,
        const Precision &precision)
  {
    double worst = 0;
    for (std::size_t i = 0; i < oracle.y.size(); ++i)
      {
        const double difference = std::abs(y[i] - oracle.y[i]);
        const double unit       = precision.eps * oracle.scale[i] +
                            precision.smallest * oracle.lengths[i];
        if (!(difference <= worst * unit))
          worst = unit > 0 ? difference / unit
                           : std::numeric_limits<double>::infinity();
        if (std::isnan(worst))
          return std::numeric_limits<double>::infinity();
      }
    return worst;
  }
} // namespace tessera::spmv

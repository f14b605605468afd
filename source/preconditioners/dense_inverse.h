#pragma once

#include <tessera/base/vector.h>
#include <tessera/matrix/sparse_matrix.h>
#include <tessera/operators/operator.h>

namespace tessera
{
  /// The inverse of a symmetric positive definite matrix of few rows, with all
  /// of its entries. It is symmetric bit by bit.
  template <class Number>
  class DenseInverse
  {
  public:
    /// Returns the entries of the inverse, [n][n]. Takes n^3 / 2
    /// multiplications on the host. Throws MatrixError if the matrix is not
    /// positive definite up to rounding or not finite.
    static std::vector<Number>
    entries(const SparseMatrix &matrix);

    DenseInverse(const std::vector<Number> &entries, Backend backend);

    /// x = A^-1 b
    void
    apply(Vector<Number> &x, const Vector<Number> &b, Stream stream) const;

    Traffic
    traffic() const
    {
      return {values.bytes() + 2 * sizeof(Number) * n, values.bytes()};
    }

  private:
    int n;
    Array<Number> values; ///< [n][n]
  };
} // namespace tessera

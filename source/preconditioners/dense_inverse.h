#pragma once

#include <tessera/base/vector.h>
#include <tessera/matrix/sparse_matrix.h>
#include <tessera/operators/operator.h>

#include <future>

namespace tessera
{
  /// The inverse of a symmetric positive definite matrix of few rows, with all
  /// of its entries. It is symmetric bit by bit.
  template <class Number>
  class DenseInverse
  {
  public:
    /// Returns the entries of the inverse, [n][n], for the constructor. Takes
    /// n^3 / 2 multiplications on the host: in a thread of its own if the
    /// caller works with a device meanwhile, or else when they are asked for,
    /// which throws MatrixError if the matrix is not positive definite up to
    /// rounding or not finite.
    static std::future<std::vector<Number>>
    begin(SparseMatrix matrix, Backend backend);

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

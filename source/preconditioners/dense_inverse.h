#pragma once

#include <tessera/matrix/sparse_matrix.h>

namespace tessera
{
  /// Returns the inverse of a symmetric positive definite matrix of few rows,
  /// with all of its entries. It is symmetric bit by bit. Takes n^3 / 2
  /// multiplications. Throws MatrixError if the matrix is not positive definite
  /// up to rounding or not finite.
  SparseMatrix
  dense_inverse(const SparseMatrix &matrix);
} // namespace tessera

#pragma once

#include <tessera/matrix/sparse_matrix.h>

namespace tessera
{
  /// Returns the transpose, whose columns increase along a row.
  SparseMatrix
  transpose(const SparseMatrix &matrix);
} // namespace tessera

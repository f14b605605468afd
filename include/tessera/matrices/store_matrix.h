#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <string>

namespace tessera
{
  /// Before the work whose matrix is to be stored: throws ParameterError where
  /// the name of the file has none of the endings of `store_matrix`, or where
  /// it cannot be written. Its folder is not made, and an earlier file stays.
  void
  check_can_store(const std::string &file);

  /// Writes a matrix as the ending of the file says: `.mtx`, Matrix Market;
  /// `.mtx.gz`, the same, compressed; `.matrix`, the binary file of
  /// `write_matrix`. `load_matrix` reads each of them as the same matrix.
  /// Throws ParameterError for another ending, MatrixError for what
  /// `check_matrix` refuses, and Error where the file cannot be written.
  void
  store_matrix(const SparseMatrix &matrix, const std::string &file);
} // namespace tessera

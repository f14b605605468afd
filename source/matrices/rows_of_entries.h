#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <vector>

namespace tessera
{
  struct MatrixEntry
  {
    int row, column;
    double value;
  };

  /// The matrix of entries in any order; those at the same place are added up
  /// in their order. Where `mirrored` is not 0, what is beside the diagonal
  /// stands above it too, multiplied by `mirrored`.
  SparseMatrix
  rows_of_entries(int n_rows, int n_columns, std::vector<MatrixEntry> entries,
                  int mirrored);
} // namespace tessera

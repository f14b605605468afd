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

  /// Returns the matrix of entries in any order; entries at the same place are
  /// added up in their order. If `mirrored` is not 0, each entry beside the
  /// diagonal occurs at the transposed place too, multiplied by `mirrored`.
  SparseMatrix
  rows_of_entries(int n_rows, int n_columns, std::vector<MatrixEntry> entries,
                  int mirrored);
} // namespace tessera

#pragma once

#include <tessera/matrix/row_matrix.h>
#include <tessera/matrix/sparse_matrix.h>

namespace tessera
{
  /// Copies the entries of a matrix of any format and backend, without padding,
  /// to compressed rows on the host. Columns increase along a row. Entries of a
  /// row in the same column are added up in double, in the order in which they
  /// are stored. Zeros are kept. The result has `n_columns` columns, which must
  /// exceed every column. Needs memory for the result and for a copy of all
  /// places.
  template <class Number>
  SparseMatrix
  collect_rows(const RowMatrix<Number> &matrix, int n_columns);
} // namespace tessera

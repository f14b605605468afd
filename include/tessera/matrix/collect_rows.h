#pragma once

#include <tessera/matrix/row_matrix.h>
#include <tessera/matrix/sparse_matrix.h>

namespace tessera
{
  /// The entries of rows of any format and backend, without padding, as
  /// compressed rows on the host: columns increase, and entries of a row in the
  /// same column (LazyEllMatrix) are added up in double in the order in which
  /// they stand. Zeros are kept. `n_columns`, beyond every column, is that of
  /// the result. Needs the memory of the result beside a copy of all places.
  template <class Number>
  SparseMatrix
  collect_rows(const RowMatrix<Number> &matrix, int n_columns);
} // namespace tessera

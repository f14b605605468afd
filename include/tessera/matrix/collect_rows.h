#pragma once

#include <tessera/matrix/row_matrix.h>
#include <tessera/matrix/sparse_matrix.h>
#include <tessera/space/space.h>

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

  /// Returns the matrix of the owned entries of a space. `rows` belong to an
  /// operator of rows and include rows of hanging nodes: C^T A C with the
  /// matrix C that computes them. If the space is a part of a mesh, it has rows
  /// and columns of ghosts behind the owned ones, with the contributions of the
  /// part's cells.
  template <class Number>
  SparseMatrix
  matrix_of_owned(const RowMatrix<Number> &rows, const Space &space);
} // namespace tessera

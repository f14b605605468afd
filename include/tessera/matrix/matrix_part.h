#pragma once

#include <tessera/matrix/sparse_matrix.h>

namespace tessera
{
  /// Consecutive rows of a matrix that several processes, each with a part,
  /// write to one file.
  struct MatrixPart
  {
    /// The part is the whole matrix.
    explicit MatrixPart(const SparseMatrix &matrix)
      : rows(matrix), n_rows(matrix.n_rows()), n_entries(matrix.n_nonzeros())
    {}

    /// The rows, with the columns of the whole matrix. They must outlive this
    /// object.
    const SparseMatrix &rows;
    int first_row            = 0; ///< rows of the parts before this one
    std::int64_t first_entry = 0; ///< entries of the parts before this one
    int n_rows;                   ///< of the whole matrix
    std::int64_t n_entries;       ///< of the whole matrix
  };
} // namespace tessera

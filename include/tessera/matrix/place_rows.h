#pragma once

#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// Copies the values of compressed rows to where a matrix of any format
  /// stores them, so that new values for the same pattern need no new set-up.
  /// `from`, [n_nonzeros], has the values in the order of the pattern that the
  /// matrix was made from, and `row_start`, [n_rows + 1], is its row starts.
  /// Everything is on the backend of the matrix. The device copies in the order
  /// of the stream; `row_start` and `from` must live until then.
  template <class Number>
  void
  place_values(RowMatrix<Number> &matrix, const Array<std::int64_t> &row_start,
               const Array<Number> &from, Stream stream = {});
} // namespace tessera

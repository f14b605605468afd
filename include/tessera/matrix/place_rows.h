#pragma once

#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// Copies values of compressed rows, `from` in the order of the pattern that
  /// the matrix was made of, with starts `row_start`, [n_rows + 1], to where
  /// the matrix keeps them, whatever its format: new values of the same pattern
  /// need no new set-up. All are on the backend of the matrix; the device does
  /// it in the order of the stream, until when `row_start` and `from` must
  /// live.
  template <class Number>
  void
  place_values(RowMatrix<Number> &matrix, const Array<std::int64_t> &row_start,
               const Array<Number> &from, Stream stream = {});
} // namespace tessera

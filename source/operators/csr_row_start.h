#pragma once

#include <tessera/matrix/csr.h>

namespace tessera
{
  /// What `f` returns for the row starts of a matrix, which have 32 or 64 bits.
  template <class Number, class F>
  auto
  with_row_start(const CsrMatrix<Number> &matrix, const F &f)
  {
    return matrix.row_start_64() != nullptr ? f(matrix.row_start_64())
                                            : f(matrix.row_start_32());
  }
} // namespace tessera

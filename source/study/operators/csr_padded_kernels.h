#pragma once

#include "../../operators/row_operator_kernels.h"

namespace tessera
{
  /// Entries of a group. Every row has whole groups: of values a sector of 32
  /// bytes in double, of columns half of one.
  constexpr int csr_padded_group = 4;

  /// y (+)= A x for compressed rows of whole groups.
  template <class Number>
  struct CsrPaddedApply
  {
    RowApply<Number> rows;
    const std::int64_t *row_start; ///< [n_rows + 1], multiples of a group
    const int *columns;            ///< [row_start[n_rows]]
    const Number *values;          ///< [row_start[n_rows]]
  };

  /// Blocks that the kernel of the device is launched with.
  int
  csr_padded_blocks(int n_rows);

  template <class Number>
  void
  apply_csr_padded(Cuda, const CsrPaddedApply<Number> &apply, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  apply_csr_padded(Target, const CsrPaddedApply<Number> &apply, Stream stream);
} // namespace tessera

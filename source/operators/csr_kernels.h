#pragma once

#include <tessera/base/grid_sum.h>
#include <tessera/base/target.h>

#include <cstdint>

namespace tessera
{
  /// y (+)= A x for rows of compressed storage.
  template <class Number, class Offset>
  struct CsrApply
  {
    int n_rows;
    const Offset *row_start; /// [n_rows + 1]
    const int *columns;      /// [n_nonzeros]
    const Number *values;    /// [n_nonzeros]
    const Number *x;
    Number *y;
    bool add;
    GridSum<Number> sum; ///< of x . A x, where result is not null
    int threads_per_row;
  };

  /// Blocks that the device's kernel is launched with (its partial sums).
  int
  csr_blocks(int n_rows, int threads_per_row);

  template <class Number, class Offset>
  void
  apply_csr(Cuda, const CsrApply<Number, Offset> &apply, Stream stream);

  /// y_i = A_ii, 0 where it is not stored.
  template <class Number, class Offset>
  void
  csr_diagonal(Cuda, const CsrApply<Number, Offset> &apply, Stream stream);

  template <class Number, class Offset, class Target, IfHost<Target> = 0>
  void
  apply_csr(Target, const CsrApply<Number, Offset> &apply, Stream stream);

  template <class Number, class Offset, class Target, IfHost<Target> = 0>
  void
  csr_diagonal(Target, const CsrApply<Number, Offset> &apply, Stream stream);
} // namespace tessera

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
    int rows_per_block;  ///< of the device's kernel: 32, 64 or 128
    bool pad;            ///< most rows have an even number of entries
  };

  /// Rows of a block of the device's kernel for rows of that mean length.
  template <class Number>
  int
  csr_rows_per_block(double mean_length);

  /// Blocks that the kernel is launched with: the number of its partial sums.
  int
  csr_blocks(int n_rows, int rows_per_block);

  /// Rows of a block on the host, which sums up its part of x . A x by itself.
  constexpr int csr_host_rows = 1024;

  constexpr int
  csr_host_blocks(const int n_rows)
  {
    return (n_rows + csr_host_rows - 1) / csr_host_rows;
  }

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

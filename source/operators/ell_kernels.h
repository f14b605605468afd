#pragma once

#include <tessera/matrix/ell.h>

#include "row_operator_kernels.h"

namespace tessera
{
  /// y (+)= A x for rows in ELLPACK.
  template <class Number>
  struct EllApply
  {
    RowApply<Number> rows;
    int width;
    const std::int32_t *lengths; ///< [n_rows]
    const int *columns;          ///< see ell_layout.h
    const Number *values;
    /// [n_rows] or null, as in RowAddressing: where longer rows go on, which
    /// the host adds up too and the device leaves to others.
    const std::int64_t *rest;
    int block = 1; ///< b: b x b entries share an index of `columns`
  };

  /// Blocks that the kernel of the device is launched with.
  int
  ell_blocks(int n_rows);

  /// The same where the matrix is: the number of partial sums.
  int
  ell_blocks(Backend backend, int n_rows);

  /// Issues the kernel of the matrix' backend.
  template <class Number>
  void
  launch_ell(const EllMatrix<Number> &matrix, const RowApply<Number> &apply,
             Stream stream);

  template <class Number>
  void
  apply_ell(Cuda, const EllApply<Number> &apply, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  apply_ell(Target, const EllApply<Number> &apply, Stream stream);
} // namespace tessera

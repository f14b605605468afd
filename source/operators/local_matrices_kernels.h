#pragma once

#include <tessera/base/target.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/on_components.h>

namespace tessera
{
  /// The values of local matrices; if `symmetric`, upper halves.
  template <class Number>
  struct LocalValues
  {
    const Number *values; ///< [n_batches][n n or n (n + 1) / 2][lanes]
    bool symmetric;
    int n_components;
  };

  /// Applies local matrices to x, or, if `diagonal`, adds their diagonals to y.
  template <class E, class Number>
  void
  apply_local_matrices(Cuda, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, bool diagonal,
                       Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  apply_local_matrices(Target, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, bool diagonal,
                       Stream stream);
} // namespace tessera

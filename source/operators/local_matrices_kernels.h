#pragma once

#include <tessera/base/target.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/on_components.h>

namespace tessera
{
  /// The values of cell matrices and what is done with them. `Stored` is their
  /// number type; products and sums have the type `Number` of the vectors.
  template <class Number, class Stored = Number>
  struct LocalValues
  {
    /// [n_batches][entry][lanes], as in local_entry()
    const Stored *values;
    bool symmetric; ///< of each matrix, the upper half is stored
    int n_components;
    /// If true, the diagonals are added to y.
    bool diagonal = false;
    /// If not null, cells store what they have for y here instead of adding to
    /// it, as [n_batches][n][lanes].
    Number *of_cells = nullptr;
  };

  /// Applies cell matrices to x, or adds their diagonals to y.
  template <class E, class Number>
  void
  apply_local_matrices(Cuda, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  apply_local_matrices(Target, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, Stream stream);

  /// Does the same for upper halves in float under products in double.
  template <class E>
  void
  apply_local_matrices(Cuda, const CellApply<double> &apply,
                       const LocalValues<double, float> &local, Stream stream);
} // namespace tessera

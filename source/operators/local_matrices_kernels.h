#pragma once

#include <tessera/base/target.h>
#include <tessera/space/cell_apply.h>

#include <type_traits>

namespace tessera
{
  /// The values of local matrices; if `symmetric`, upper halves.
  template <class Number>
  struct LocalValues
  {
    const Number *values; ///< [n_batches][n n or n (n + 1) / 2][lanes]
    bool symmetric;
    /// Of a node, 1 or the dimension. Component c of node k has the index
    /// c n_nodes + k in a cell matrix.
    int n_components;
  };

  /// The largest degree with kernels for several components.
  constexpr int local_matrices_max_degree_of_components = 2;

  /// Calls `f` with the number of components as a constant.
  template <class E, class F>
  void
  on_components(const int n_components, const F &f)
  {
    if constexpr (E::degree <= local_matrices_max_degree_of_components)
      if (n_components > 1)
        return f(std::integral_constant<int, E::dim>());
    f(std::integral_constant<int, 1>());
  }

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

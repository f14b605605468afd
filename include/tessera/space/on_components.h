#pragma once

#include <tessera/base/error.h>
#include <tessera/space/space.h>

#include <type_traits>

// Kernels that keep or read whole cell matrices are compiled for nodes with one
// component and, on elements of low degree, for nodes with one component per
// dimension. Component c of node k has the index c n + k in the matrix of a
// cell with n nodes.
namespace tessera
{
  /// The largest degree with such kernels for several components.
  constexpr int max_degree_of_components = 2;

  /// Throws ParameterError, which begins with `what`, if there are no such
  /// kernels for a space.
  inline void
  check_components(const std::string &what, const Space &space,
                   const int n_components)
  {
    if (n_components > 1 && (n_components != space.dim() ||
                             space.degree > max_degree_of_components))
      throw ParameterError(
        what +
        " has kernels for one component, and for one for each dimension "
        "up to degree " +
        std::to_string(max_degree_of_components) + ", but not for " +
        std::to_string(n_components) + " components on cells of dimension " +
        std::to_string(space.dim()) + " and degree " +
        std::to_string(space.degree) + '.');
  }

  /// Calls `f` with the number of components as a constant.
  template <class E, class F>
  void
  on_components(const int n_components, const F &f)
  {
    if constexpr (E::degree <= max_degree_of_components)
      if (n_components > 1)
        return f(std::integral_constant<int, E::dim>());
    f(std::integral_constant<int, 1>());
  }
} // namespace tessera

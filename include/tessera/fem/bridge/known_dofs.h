#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/bridge/mesh_arrays.h>

#include <deal.II/dofs/dof_handler.h>

#include <vector>

namespace tessera
{
  /// Returns for every degree of freedom of deal.II its number in arrays of the
  /// same cells, node * n_components + component, [n_dofs]. Throws
  /// std::logic_error if two of deal.II's have the same number.
  template <int dim>
  std::vector<int>
  numbers_of_dofs(const dealii::DoFHandler<dim> &dof_handler,
                  const ElementNodes &nodes);
} // namespace tessera

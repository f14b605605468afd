#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/space/mesh_arrays.h>

#include <deal.II/grid/tria.h>

namespace tessera
{
  /// Returns the active cells of a mesh as arrays of the host. Cells keep the
  /// order of the active cells, vertices the order of the triangulation without
  /// unused ones, and boundary faces follow their cells. Numbers in the whole
  /// mesh are deal.II's global indices of active cells. Throws MeshError for
  /// cells of several types and, unless they may hang, for hanging nodes.
  template <int dim>
  MeshArrays
  mesh_arrays(const dealii::Triangulation<dim> &triangulation,
              bool may_hang = false);
} // namespace tessera

#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/space/mesh_arrays.h>

#include <deal.II/grid/tria.h>

#include <functional>
#include <vector>

namespace tessera
{
  /// Returns the active cells of a mesh as arrays of the host. Cells keep the
  /// order of the active cells, vertices the order of the triangulation without
  /// unused ones, and boundary faces follow their cells. Numbers in the whole
  /// mesh are deal.II's global indices of active cells. Throws MeshError for
  /// cells of several types and for hanging nodes.
  template <int dim>
  MeshArrays
  mesh_arrays(const dealii::Triangulation<dim> &triangulation);

  /// Makes a triangulation of these cells of a mesh, in ascending order, by
  /// default of all. Cells and vertices keep their order, and materials are
  /// kept. Boundary faces of the mesh have their ids unless `has_ids` is false;
  /// other faces that one cell has are `beyond_known_cells`.
  template <int dim>
  void
  triangulate(dealii::Triangulation<dim> &triangulation, const MeshArrays &mesh,
              const std::vector<int> &cells = {}, bool has_ids = true);

  /// Makes a triangulation of some cells of a mesh, as `triangulate`, whose
  /// manifolds curve the cells as they curve the mesh.
  template <int dim>
  using Triangulate =
    std::function<void(dealii::Triangulation<dim> &, const std::vector<int> &)>;
} // namespace tessera

#pragma once

#include <tessera/space/connectivity.h>

#include <deal.II/grid/tria.h>

namespace tessera
{
  /// Sets `n_vertices`, `vertices` and `cell_vertices` of a mesh whose cell
  /// type is known. Vertices keep the order of the triangulation; vertices
  /// without a cell are left out.
  template <int dim>
  void
  set_vertices(Connectivity &mesh,
               const dealii::Triangulation<dim> &triangulation);
} // namespace tessera

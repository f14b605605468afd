#pragma once

#include <tessera/fem/distributed/division.h>
#include <tessera/fem/mesh/mesh.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  /// Refines the part of a straight mesh that a process knows as arrays, with
  /// the numbers of its cells in the whole mesh. Cells that are not around the
  /// own ones become unknown. Throws what `Mesh::divide_later` and
  /// `mesh_tools::check_cells` throw.
  template <int dim>
  void
  refine_part(Mesh<dim> &mesh, int levels, const Division &division,
              Backend where);

  /// Returns the bytes of the coordinates of vertices of a whole mesh, whose
  /// vertices were moved after the refinement, for a process that refines some
  /// cells, which then have `n_parts` parts.
  std::vector<char>
  vertices_of_parts(const MeshArrays &whole,
                    const std::vector<std::int64_t> &cells,
                    std::int64_t n_parts);

  /// Moves the vertices of the refined part to these coordinates.
  template <int dim>
  void
  place_vertices_of_parts(Mesh<dim> &mesh, const std::vector<char> &bytes);
} // namespace tessera

#pragma once

#include "triangle_shells.h"

#include <vector>

/// Changes of closed surfaces of triangles, whose neighbours agree on the
/// direction of normals. All keep the places where the surface is.
namespace tessera::mesh_tools
{
  /// Removes triangles that are lower than `tolerance`: their longest edge is
  /// replaced by the other diagonal of the two triangles at it. Returns how
  /// many there were. Those that cannot be removed so remain.
  std::size_t
  flip_flat(TriangleSurface &surface, double tolerance);

  /// Divides edges that are longer than 4/3 `size` until there are none, and
  /// those longer than `size` / 5 that are long beside a height of a triangle
  /// on them; flips edges inside of planes until triangles are Delaunay's. The
  /// new triangles are in the faces of the old ones, [n_triangles]. Edges
  /// between faces and those where the surface bends are divided, too, but not
  /// flipped.
  void
  divide(TriangleSurface &surface, std::vector<int> &face_of, double size,
         double tolerance);
} // namespace tessera::mesh_tools

#pragma once

#include <deal.II/base/point.h>

#include <array>
#include <string>
#include <vector>

namespace tessera::mesh_tools
{
  /// A surface of triangles, as a file of the format STL has it.
  struct TriangleSurface
  {
    std::vector<dealii::Point<3>> points;
    std::vector<std::array<int, 3>> triangles; ///< indices of `points`
  };

  /// What closed surfaces consist of and enclose.
  struct Shells
  {
    std::size_t n_turned;      ///< triangles whose normal pointed into a body
    std::size_t n_flat;        ///< triangles without area, which were removed
    std::vector<int> shell_of; ///< the connected part, [n_triangles]
    /// The smooth part of a shell, counted from 0 in the order of the
    /// triangles, [n_triangles].
    std::vector<int> face_of;
    /// Every body as its shells: first the outer one, then those of cavities.
    std::vector<std::vector<int>> bodies;
    double area;   ///< of all triangles
    double volume; ///< of all bodies
  };

  /// Returns the distance to which coordinates in single precision are known;
  /// what is closer touches.
  double
  resolution(const TriangleSurface &surface);

  /// Analyses a surface and turns its triangles so that normals point out of
  /// bodies. Faces end at edges where the normal turns by more than `angle`, in
  /// radians. Triangles without area are removed: those with two equal corners,
  /// and by `flip_flat` those that are lower than the resolution. Throws
  /// MeshError with a place if a coordinate is not finite, a triangle is there
  /// twice, an edge does not belong to two triangles, the two sides of the
  /// surface are one, a triangle without area cannot be removed, or a shell
  /// encloses nothing.
  Shells
  find_shells(TriangleSurface &surface, double angle,
              const std::string &source);
} // namespace tessera::mesh_tools

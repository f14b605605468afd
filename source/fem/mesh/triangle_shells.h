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
    std::vector<int> shell_of; ///< the connected part, [n_triangles]
    /// The smooth part of a shell, counted from 0 in the order of the
    /// triangles, [n_triangles].
    std::vector<int> face_of;
    /// Every body as its shells: first the outer one, then those of cavities.
    std::vector<std::vector<int>> bodies;
    double area;   ///< of all triangles
    double volume; ///< of all bodies
  };

  /// Analyses a surface; faces end at edges where the normal turns by more than
  /// `angle`, in radians. The orientation of triangles does not matter. Throws
  /// MeshError with a place if a coordinate is not finite or if an edge does
  /// not belong to two triangles.
  Shells
  find_shells(const TriangleSurface &surface, double angle,
              const std::string &source);
} // namespace tessera::mesh_tools

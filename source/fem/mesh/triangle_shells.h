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
    /// Every body as its shells: first the outer one, then the shells of
    /// cavities.
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
  /// radians. Triangles without area are removed: triangles with two equal
  /// corners, and by `flip_flat` triangles that are lower than the resolution.
  /// Throws MeshError with a place if a coordinate is not finite, a triangle is
  /// there twice, an edge does not belong to two triangles, the two sides of
  /// the surface are one, a triangle without area cannot be removed, or a shell
  /// encloses nothing.
  Shells
  find_shells(TriangleSurface &surface, double angle,
              const std::string &source);

  /// Throws MeshError with a place and the number of pairs if triangles cross
  /// or touch that are no neighbours there: parts of two triangles without a
  /// common corner must be farther apart than `tolerance`. The pairs come from
  /// a tree of bounding boxes, so that n triangles of similar size need about n
  /// log n operations.
  void
  check_crossings(const TriangleSurface &surface, double tolerance,
                  const std::string &source);

  /// Removes triangles that are lower than `tolerance`: their longest edge is
  /// replaced by the other diagonal of the two triangles at it. Returns how
  /// many there were. Triangles that cannot be removed so remain.
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

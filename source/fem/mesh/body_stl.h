#pragma once

#include "body_mesher.h"
#include "gmsh_session.h"

#include <deal.II/base/point.h>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tessera::mesh_tools
{
  using EntityGroups = std::map<int, std::vector<int>>; ///< entities by id

  /// What a file of triangles encloses.
  struct TriangleBody
  {
    double volume;           ///< of all bodies
    double area;             ///< of the surface
    std::size_t n_triangles; ///< that gmsh gets
    double element_size;     ///< that was chosen
    EntityGroups faces;      ///< the pieces of each smooth part of the surface
    std::string notes;       ///< lines for the summary
    std::vector<std::string> errors; ///< of gmsh, which has no bodies then
  };

  /// Chooses the size of elements of a body with a volume in a box with edges
  /// of these lengths.
  using ChooseSize =
    std::function<double(std::array<double, 3> edges, double volume)>;

  /// Reads and checks triangles and makes bodies of them in gmsh, whose
  /// surfaces are either divided into pieces that gmsh can mesh anew or consist
  /// of the given triangles.
  TriangleBody
  read_stl(const GmshSession &session, const Body &body,
           const ChooseSize &choose_size);

  /// Meshes what was read; unless this is the last try, the process gets
  /// SIGPROF if it takes much longer than usual. Returns gmsh's errors.
  std::vector<std::string>
  mesh_bodies(const GmshSession &session, const TriangleBody &triangles,
              const Body &body);

  /// Returns the corners of the tetrahedra of gmsh's mesh, [n][4].
  std::vector<std::vector<dealii::Point<3>>>
  tetrahedra();

  /// Returns the volume of tetrahedra.
  double
  volume_of(const std::vector<std::vector<dealii::Point<3>>> &cells);

  /// Finds the volume of the tetrahedra and whether they are good enough.
  void
  check_tetrahedra(const TriangleBody &triangles, const Body &body,
                   BodyMesh &mesh);
} // namespace tessera::mesh_tools

#pragma once

#include <deal.II/base/point.h>

#include <string>
#include <vector>

namespace tessera::mesh_tools
{
  /// A file that describes a body without cells, and how to mesh it.
  struct Body
  {
    std::string path;
    std::string format;        ///< geo, step or stl
    std::string source;        ///< `mesh file 'part.stl'`, for messages
    std::string content;       ///< of the file
    int dimension       = 0;   ///< that was asked for; 0 for any
    double element_size = 0.;  ///< 0 if none is given
    double angle        = 0.7; ///< at which surfaces of triangles end, radians
  };

  /// What gmsh made of a body.
  struct BodyMesh
  {
    /// A boundary that the file gives no name or number.
    struct Boundary
    {
      int id;
      dealii::Point<3> lower, upper; ///< its bounding box
    };

    int dimension;
    double element_size;              ///< 0: a script says sizes alone
    std::vector<Boundary> boundaries; ///< by id; empty if the file has groups
    std::string mesher;               ///< `gmsh 4.8.4`
  };

  /// Meshes a body by gmsh and writes the file `msh`. Throws what `mesh_body`
  /// does.
  BodyMesh
  mesh_by_gmsh(const Body &body, const std::string &msh);
} // namespace tessera::mesh_tools

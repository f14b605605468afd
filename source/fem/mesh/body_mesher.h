#pragma once

#include <deal.II/base/point.h>

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <functional>
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

      template <class Archive>
      void
      serialize(Archive &archive, const unsigned int /*version*/)
      {
        archive &id &lower &upper;
      }
    };

    int dimension;
    double element_size;              ///< 0: a script says sizes alone
    std::vector<Boundary> boundaries; ///< by id; empty if the file has groups
    std::string mesher;               ///< `gmsh 4.8.4`

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &dimension &element_size &boundaries &mesher;
    }
  };

  /// Meshes a body by gmsh and writes the file `msh`. Before it does something
  /// else than reading the body, `stage` is told a word for that. Throws what
  /// `mesh_body` does. gmsh may crash or end the process, and changes how many
  /// threads OpenMP has.
  BodyMesh
  mesh_by_gmsh(const Body &body, const std::string &msh,
               const std::function<void(const std::string &)> &stage);
} // namespace tessera::mesh_tools

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
    /// Surfaces of triangles: false meshes them anew, true keeps the triangles
    /// and divides the triangles that are larger than elements.
    bool keep_triangles = false;
    double size_factor  = 1.; ///< of the size of elements, for a further try
    /// Then gmsh may take long and make flat cells: nothing else will be tried.
    bool last_try = false;
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

    int dimension       = 0;
    double element_size = 0.;         ///< 0: a script says sizes alone
    std::vector<Boundary> boundaries; ///< by id; empty if the file has groups
    std::string mesher;               ///< `gmsh 4.8.4`
    std::string notes;                ///< lines about the file, or empty
    /// Why gmsh's mesh of a surface of triangles is not good, and nothing was
    /// written; empty if it is good.
    std::string failure;
    double volume       = 0.; ///< of the mesh of a body in space
    double given_volume = 0.; ///< of the body itself; 0: it is not known

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &dimension &element_size &boundaries &mesher &notes;
      archive &failure &volume &given_volume;
    }
  };

  /// Cells of a lower quality make a surface of triangles be meshed in another
  /// way, if there is one.
  constexpr double wanted_quality = 1e-3;

  /// By how much the volume of a mesh may differ from the one that a surface of
  /// triangles encloses, relative to it.
  constexpr double volume_tolerance = 0.005;

  /// Meshes a body by gmsh and writes the file `msh`. Before it does something
  /// else than reading the body, `stage` is told a word for that. Throws what
  /// `mesh_body` does. gmsh may crash or end the process, and changes how many
  /// threads OpenMP has.
  BodyMesh
  mesh_by_gmsh(const Body &body, const std::string &msh,
               const std::function<void(const std::string &)> &stage);
} // namespace tessera::mesh_tools

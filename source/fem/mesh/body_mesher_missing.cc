// In place of body_mesher.cc where gmsh is missing.
#include "body_mesher.h"

#include <tessera/base/error.h>

namespace tessera::mesh_tools
{
  BodyMesh
  mesh_by_gmsh(const Body &body, const std::string &,
               const std::function<void(const std::string &)> &)
  {
    throw MeshError("The " + body.source +
                    " has no cells, and this program was built without gmsh, "
                    "which would make them; it needs the Debian package "
                    "libgmsh-dev.");
  }
} // namespace tessera::mesh_tools

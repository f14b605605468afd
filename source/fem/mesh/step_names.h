#pragma once

#include <array>
#include <string>
#include <vector>

namespace tessera::mesh_tools
{
  /// A face of a STEP file that has a name.
  struct NamedFace
  {
    std::string name;
    std::vector<std::array<double, 3>> corners; ///< in the units of the file
  };

  /// Returns the faces of a STEP file whose name is neither empty nor NONE,
  /// with the ends of the edges around them. Open CASCADE's reader as gmsh
  /// calls it leaves these names out.
  std::vector<NamedFace>
  named_faces(const std::string &text);
} // namespace tessera::mesh_tools

#pragma once

#include <array>
#include <string>
#include <vector>

namespace tessera::mesh_tools
{
  /// A unit of length in a STEP file.
  struct StepUnit
  {
    const char *pattern; ///< in the text without spaces and in capitals
    const char *name;    ///< as Open CASCADE calls it
    const char *plural;
    const char *metres;
  };

  /// Finds the unit of length of a STEP file, or returns nullptr.
  const StepUnit *
  unit_of_step(const std::string &text);

  /// Returns the line of the summary about the unit.
  std::string
  describe(const StepUnit *unit);

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
  named_faces(const std::string &text, bool &placed);
} // namespace tessera::mesh_tools

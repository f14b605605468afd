#pragma once

#include <tessera/space/cell_type.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace tessera::mesh_files
{
  /// Returns the element types of Abaqus by name: the cell and, for cells of
  /// order 2, the number of nodes that follow its corners.
  inline const std::map<std::string, std::pair<CellType, int>> &
  abaqus_types()
  {
    static const auto types = []() {
      std::map<std::string, std::pair<CellType, int>> result;
      const auto add = [&result](const CellType type, const int n_middle,
                                 const char *const names) {
        std::istringstream list(names);
        for (std::string name; list >> name;)
          result[name] = {type, n_middle};
      };
      add(CellType::line, 0, "T2D2 T3D2 B21 B31");
      add(CellType::line, 1, "T2D3 T3D3 B22 B32");
      add(CellType::triangle, 0, "CPS3 CPE3 CAX3 S3 S3R STRI3 M3D3 DC2D3");
      add(CellType::triangle, 3,
          "CPS6 CPS6M CPE6 CPE6M CAX6 CAX6M STRI65 M3D6 DC2D6");
      add(CellType::quadrilateral, 0,
          "CPS4 CPS4R CPE4 CPE4R CAX4 CAX4R S4 S4R M3D4 DC2D4");
      add(CellType::quadrilateral, 4,
          "CPS8 CPS8R CPE8 CPE8R CAX8 CAX8R S8R M3D8 DC2D8");
      add(CellType::quadrilateral, 5, "M3D9 S9R5");
      add(CellType::tetrahedron, 0, "C3D4 DC3D4");
      add(CellType::tetrahedron, 6, "C3D10 C3D10M C3D10HS DC3D10");
      add(CellType::hexahedron, 0, "C3D8 C3D8R C3D8I DC3D8");
      add(CellType::hexahedron, 12, "C3D20 C3D20R DC3D20");
      add(CellType::hexahedron, 19, "C3D27 C3D27R");
      return result;
    }();
    return types;
  }
} // namespace tessera::mesh_files

#pragma once

#include "mesh_scanner.h"

#include <tessera/space/cell_type.h>

#include <map>
#include <string>

namespace tessera::mesh_files
{
  /// An element type of gmsh. Its corners come first.
  struct Shape
  {
    const char *name;
    int n_nodes;      ///< at corners
    int type;         ///< CellType, -1 (only counted) or -2 (skipped)
    int n_middle = 0; ///< further nodes, on edges, faces and inside
  };

  inline const Shape &
  shape_of(const int type, const Scanner &in)
  {
    constexpr auto number = [](const CellType cell) {
      return static_cast<int>(cell);
    };
    static const std::map<int, Shape> shapes = {
      {1, {"line", 2, number(CellType::line)}},
      {2, {"triangle", 3, number(CellType::triangle)}},
      {3, {"quadrilateral", 4, number(CellType::quadrilateral)}},
      {4, {"tetrahedron", 4, number(CellType::tetrahedron)}},
      {5, {"hexahedron", 8, number(CellType::hexahedron)}},
      {6, {"prism", 6, -1}},
      {7, {"pyramid", 5, -1}},
      {8, {"line", 2, number(CellType::line), 1}},
      {9, {"triangle", 3, number(CellType::triangle), 3}},
      {10, {"quadrilateral", 4, number(CellType::quadrilateral), 5}},
      {11, {"tetrahedron", 4, number(CellType::tetrahedron), 6}},
      {12, {"hexahedron", 8, number(CellType::hexahedron), 19}},
      {15, {"point", 1, -2}},
      {16, {"quadrilateral", 4, number(CellType::quadrilateral), 4}},
      {17, {"hexahedron", 8, number(CellType::hexahedron), 12}}};
    const auto shape = shapes.find(type);
    if (shape == shapes.end())
      in.fail("has elements of gmsh's type " + std::to_string(type) +
              (type > 8 && type <= 140
                 ? ", of higher order; legal are cells of order 1 and 2, which "
                   "gmsh makes with 'Mesh.ElementOrder = 1;' in the .geo file"
                 : ", which there is not"));
    return shape->second;
  }
} // namespace tessera::mesh_files

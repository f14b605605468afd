#pragma once

#include <string>

namespace tessera
{
  /// The shapes of cells; see `cell_types.def`. Lines occur only as faces.
  ///
  /// Lines, quadrilaterals and hexahedra (tensor products of the unit interval)
  /// carry Lagrange elements of degree p with Gauss-Lobatto nodes, and the
  /// Gauss rule of p + 1 points per direction. Nodes, points and vertices are
  /// in lexicographic order with direction 0 fastest: node (i0, i1, i2) has the
  /// number i = (i2 (p+1) + i1) (p+1) + i0.
  ///
  /// Triangles and tetrahedra carry Lagrange elements of degree 1 and 2 on the
  /// unit simplex. Vertex 0 of the unit simplex is the origin; vertex d has
  /// coordinate d - 1 equal to one and all others zero. The nodes of degree 1
  /// are the vertices. Degree 2 adds the midpoints of the edges in the order
  /// 01, 12, 20 on triangles and 01, 12, 20, 03, 13, 23 on tetrahedra. The
  /// quadrature rule is `simplex_rule(dim, p + 1)`.
  enum class CellType
  {
#define TESSERA_CELL_TYPE(name, sentence, dim, vertices, degree) name,
#include <tessera/space/cell_types.def>
#undef TESSERA_CELL_TYPE
  };

  std::string
  to_string(CellType type);

  /// Returns the type with this name. Throws ParameterError naming the legal
  /// values.
  CellType
  cell_type_from_string(const std::string &name);

  constexpr int
  dimension(const CellType type)
  {
    constexpr int dimensions[] = {
#define TESSERA_CELL_TYPE(name, sentence, dim, vertices, degree) dim,
#include <tessera/space/cell_types.def>
#undef TESSERA_CELL_TYPE
    };
    return dimensions[static_cast<int>(type)];
  }

  constexpr int
  n_vertices(const CellType type)
  {
    constexpr int counts[] = {
#define TESSERA_CELL_TYPE(name, sentence, dim, vertices, degree) vertices,
#include <tessera/space/cell_types.def>
#undef TESSERA_CELL_TYPE
    };
    return counts[static_cast<int>(type)];
  }

  constexpr int
  max_degree(const CellType type)
  {
    constexpr int degrees[] = {
#define TESSERA_CELL_TYPE(name, sentence, dim, vertices, degree) degree,
#include <tessera/space/cell_types.def>
#undef TESSERA_CELL_TYPE
    };
    return degrees[static_cast<int>(type)];
  }

  constexpr bool
  is_simplex(const CellType type)
  {
    return type == CellType::triangle || type == CellType::tetrahedron;
  }

  /// Returns the number of nodes of a cell, which is the number of degrees of
  /// freedom of a scalar field.
  constexpr int
  n_nodes(const CellType type, const int degree)
  {
    const int n = degree + 1, dim = dimension(type);
    if (is_simplex(type))
      return dim == 2 ? n * (n + 1) / 2 : n * (n + 1) * (n + 2) / 6;
    return dim == 1 ? n : dim == 2 ? n * n : n * n * n;
  }

  /// Returns the number of quadrature points of a cell.
  constexpr int
  n_points(const CellType type, const int degree)
  {
    if (type == CellType::triangle)
      return degree == 1 ? 4 : 7;
    if (type == CellType::tetrahedron)
      return degree == 1 ? 6 : 14;
    return n_nodes(type, degree);
  }

  /// Returns the shape of all faces of a cell: line, quadrilateral or triangle.
  constexpr CellType
  face_type(const CellType type)
  {
    return type == CellType::hexahedron    ? CellType::quadrilateral
           : type == CellType::tetrahedron ? CellType::triangle
                                           : CellType::line;
  }
} // namespace tessera

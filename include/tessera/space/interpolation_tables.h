#pragma once

#include <tessera/space/cell_type.h>

#include <vector>

namespace tessera
{
  /// Tables of functions at the points of a rule. On cells of tensor type they
  /// are tables of one direction.
  struct InterpolationTables
  {
    CellType cell_type = CellType::quadrilateral;
    int n = 0, m = 0; ///< functions and points, of a direction or of the cell
    std::vector<double> values;    ///< [n][m]
    std::vector<double> gradients; ///< [directions of the table][n][m]
  };

  /// Returns the Lagrange polynomials of `nodes` at `points`, both on [0, 1]:
  /// one direction of an element of a tensor type.
  InterpolationTables
  lagrange_tables(CellType type, const std::vector<double> &nodes,
                  const std::vector<double> &points);

  /// Returns the element of degree 1 or 2 on a simplex at `points`,
  /// [n_points][dim]. With barycentric coordinates l_v the functions are l_v or
  /// l_v (2 l_v - 1) at vertices and 4 l_a l_b on the edge ab.
  InterpolationTables
  simplex_tables(CellType type, int degree, const std::vector<double> &points);
} // namespace tessera

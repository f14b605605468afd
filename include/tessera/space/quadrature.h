#pragma once

#include <tessera/space/cell_type.h>

#include <vector>

namespace tessera
{
  /// Returns the points of the n-point Gauss-Legendre rule on [0, 1] in
  /// increasing order. Throws std::out_of_range unless 1 <= n <= 10.
  std::vector<double>
  gauss_points(int n);

  /// Returns the weights of the same rule; their sum is 1.
  std::vector<double>
  gauss_weights(int n);

  /// Returns the n Gauss-Lobatto points on [0, 1] in increasing order, ends
  /// included. They are the nodes of an element of degree n - 1. Throws
  /// std::out_of_range unless 2 <= n <= 10.
  std::vector<double>
  gauss_lobatto_points(int n);

  /// A quadrature rule on a reference cell.
  struct QuadratureRule
  {
    std::vector<double> points;  ///< [nq][dim]
    std::vector<double> weights; ///< [nq]; their sum is the cell's volume
  };

  /// Returns the quadrature rule `n` on the unit simplex of dimension `dim`. It
  /// is the Gauss rule of n points for dim = 1; it has 4 points (n = 2) or 7
  /// points (n = 3) on triangles and 6 points (n = 2) or 14 points (n = 3) on
  /// tetrahedra. It is exact for polynomials of total degree 2n - 1. The points
  /// and their order are as in deal.II's `QGaussSimplex<dim>(n)`. Throws
  /// std::out_of_range for other arguments.
  QuadratureRule
  simplex_rule(int dim, int n);

  /// Returns the quadrature rule of a cell with an element of degree p: the
  /// Gauss rule of p + 1 points per direction, or `simplex_rule(dim, p + 1)`.
  /// The points are in the order of `CellType`.
  QuadratureRule
  cell_rule(CellType type, int degree);

  /// Returns a rule on a triangle or tetrahedron that is exact for polynomials
  /// of degree 2 (p - 1), such as products of two gradients of an element of
  /// degree p, which is 1 or 2. All weights are equal.
  QuadratureRule
  gradient_rule(CellType type, int degree);
} // namespace tessera

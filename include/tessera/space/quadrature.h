#pragma once

#include <tessera/space/cell_type.h>

#include <vector>

namespace tessera
{
  /// Points of the n-point Gauss-Legendre rule on [0, 1], increasing;
  /// 1 <= n <= 10.
  std::vector<double>
  gauss_points(int n);

  /// Weights of the same rule; their sum is 1.
  std::vector<double>
  gauss_weights(int n);

  /// The n Gauss-Lobatto points on [0, 1], increasing, ends included: the
  /// nodes of an element of degree n - 1; 2 <= n <= 10.
  std::vector<double>
  gauss_lobatto_points(int n);

  /// A quadrature rule on a reference cell.
  struct QuadratureRule
  {
    std::vector<double> points;  ///< [nq][dim]
    std::vector<double> weights; ///< [nq]; their sum is the cell's volume
  };

  /// The rule `n` on the unit simplex of dimension `dim`: the Gauss rule of n
  /// points (dim = 1); 4 points (n = 2) or 7 points (n = 3) on triangles; 6
  /// points (n = 2) or 14 points (n = 3) on tetrahedra. Exact for polynomials
  /// of total degree 2n - 1. Points and their order are those of deal.II's
  /// `QGaussSimplex<dim>(n)`. Throws std::out_of_range for others.
  QuadratureRule
  simplex_rule(int dim, int n);

  /// The rule of a cell with an element of degree p: the Gauss rule of p + 1
  /// points a direction, or `simplex_rule(dim, p + 1)`, in the order that
  /// `CellType` says.
  QuadratureRule
  cell_rule(CellType type, int degree);
} // namespace tessera

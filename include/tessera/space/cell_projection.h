#pragma once

#include <tessera/space/coefficient.h>
#include <tessera/space/space.h>

#include <vector>

// The projection P of a function onto a few functions psi_k of each cell, in L2
// of the cell. Mixed methods use it for the pressure, so that nearly
// incompressible materials do not lock.
namespace tessera
{
  /// Returns the number of functions psi_k. They are 1 and, on quadrilaterals
  /// and hexahedra from degree 2 on, xi_d - 1/2 in each direction d of the
  /// reference cell. The pairs Q1-P0, Q2-P1 and P2-P0 that they form with a
  /// displacement are the usual ones; on simplices of degree 1 the projection
  /// changes nothing on affine cells.
  constexpr int
  n_projected(const CellType type, const int degree)
  {
    return degree == 1 || is_simplex(type) ? 1 : dimension(type) + 1;
  }

  /// Returns the functions at points of the reference cell, [n][dim], as
  /// [n][m].
  std::vector<double>
  projected_functions(CellType type, int degree,
                      const std::vector<double> &points);

  /// Returns the inverse of the matrix of int psi_k psi_l dx, [m][m], from the
  /// functions at the quadrature points, [nq][m], and dx = w det J there: it
  /// maps the integrals of f psi_l to the factors of psi_k in P(f). The cell
  /// must have a volume.
  std::vector<double>
  inverse_gram(const std::vector<double> &functions,
               const std::vector<double> &dx);

  /// Returns for each cell the upper half of the matrix H with
  ///   int kappa P(f) P(g) dx = sum_kl (int f psi_k) H_kl (int g psi_l),
  /// [n_cells][m (m + 1) / 2], integrals being sums over the quadrature points.
  /// `kappa(values, dim)` gives kappa from the values of a coefficient.
  std::vector<double>
  projection_matrices(const Space &space, const Coefficient &coefficient,
                      double (*kappa)(const double *values, int dim));
} // namespace tessera

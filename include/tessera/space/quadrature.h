#pragma once

#include <vector>

namespace tessera
{
  /// The `n` Gauss-Legendre points on [0,1], ascending and exactly symmetric
  /// about 1/2; exact for polynomials of degree 2n-1. Throws std::out_of_range
  /// unless 1 <= n <= 10.
  std::vector<double>
  gauss_points(int n);

  /// The weights that belong to `gauss_points(n)`; their sum is 1.
  std::vector<double>
  gauss_weights(int n);

  /// The `n` Gauss-Lobatto points on [0,1], ascending and exactly symmetric:
  /// the nodes of degree n-1. Throws std::out_of_range unless 2 <= n <= 10.
  std::vector<double>
  gauss_lobatto_points(int n);
} // namespace tessera

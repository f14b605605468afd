#pragma once

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
} // namespace tessera

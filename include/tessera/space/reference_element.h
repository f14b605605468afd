#pragma once

namespace tessera
{
  /// One-dimensional tables of the Lagrange element of degree p at
  /// Gauss-Lobatto nodes with its p + 1 Gauss points on [0, 1]. A kernel
  /// argument, never a global.
  template <int degree, class Number>
  struct ReferenceElement
  {
    static constexpr int n = degree + 1;

    Number values[n][n];    /// [node][point]: phi_i(x_q)
    Number gradients[n][n]; /// [node][point]: phi_i'(x_q)
    Number weights[n];
    Number points[n];
  };

  /// For degrees 1 to 4, float and double.
  template <int degree, class Number>
  ReferenceElement<degree, Number>
  reference_element();
} // namespace tessera

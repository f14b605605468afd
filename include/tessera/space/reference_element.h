#pragma once

#include <tessera/space/quadrature.h>

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

  template <int degree, class Number>
  ReferenceElement<degree, Number> reference_element()
  {
    constexpr int n                   = degree + 1;
    const std::vector<double> nodes   = gauss_lobatto_points(n);
    const std::vector<double> points  = gauss_points(n);
    const std::vector<double> weights = gauss_weights(n);

    ReferenceElement<degree, Number> element;
    for (int q = 0; q < n; ++q)
    {
      element.weights[q] = static_cast<Number>(weights[q]);
      element.points[q]  = static_cast<Number>(points[q]);
      for (int i = 0; i < n; ++i)
      {
        double value = 1, gradient = 0;
        for (int j = 0; j < n; ++j)
          if (j != i)
          {
            double product = 1 / (nodes[i] - nodes[j]);
            for (int k = 0; k < n; ++k)
              if (k != i && k != j)
                product *= (points[q] - nodes[k]) / (nodes[i] - nodes[k]);
            value *= (points[q] - nodes[j]) / (nodes[i] - nodes[j]);
            gradient += product;
          }
        element.values[i][q]    = static_cast<Number>(value);
        element.gradients[i][q] = static_cast<Number>(gradient);
      }
    }
    return element;
  }
} // namespace tessera

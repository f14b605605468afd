#pragma once

#include <tessera/space/element.h>

namespace tessera
{
  /// One-dimensional tables of the tensor-product Lagrange element of degree p,
  /// with Gauss-Lobatto nodes and p + 1 Gauss points on [0, 1]. The tables are
  /// passed to kernels as an argument and are never global.
  template <class E, class Number, bool simplex = E::simplex>
  struct ReferenceElement
  {
    Number values[E::n1][E::n1];    ///< [node][point]: phi_i(x_q)
    Number gradients[E::n1][E::n1]; ///< [node][point]: phi_i'(x_q)
    Number weights[E::n1];
    Number points[E::n1];
  };

  /// Tables of the Lagrange element on a simplex, at the points of its
  /// quadrature rule.
  template <class E, class Number>
  struct ReferenceElement<E, Number, true>
  {
    Number values[E::n][E::n_points];            ///< [node][point]
    Number gradients[E::n][E::n_points][E::dim]; ///< [node][point][direction]
    Number weights[E::n_points];
  };

  /// Returns the tables; they exist for the elements and numbers of
  /// instantiate.inc.
  template <class E, class Number>
  ReferenceElement<E, Number>
  reference_element();
} // namespace tessera

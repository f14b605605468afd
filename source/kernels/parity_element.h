#pragma once

#include <tessera/space/reference_element.h>

namespace tessera
{
  /// The one-dimensional tables of a tensor-product element by parity. Nodes
  /// and points lie symmetrically about 1/2: with the parts of a line of n
  /// values
  ///
  ///   e_i = u_i + u_{n-1-i} at place i,   o_i = u_i - u_{n-1-i} at n - 1 - i,
  ///
  /// for i < n/2, and the middle one of an odd number as it is, interpolation
  /// takes even parts to even and odd to odd ones, and differentiation even to
  /// odd and odd to even ones: half of the products of the full tables
  /// (KronbichlerKormann2019).
  template <class E, class Number>
  struct ParityElement
  {
    static constexpr int n      = E::n1;
    static constexpr int n_even = (n + 1) / 2, n_odd = n / 2;

    Number values_even[n_even][n_even];   ///< [even node][even point]
    Number values_odd[n_odd][n_odd];      ///< [odd node][odd point]
    Number gradients_even[n_even][n_odd]; ///< [even node][odd point]
    Number gradients_odd[n_odd][n_even];  ///< [odd node][even point]
    Number weights[n];
    Number points[n];

    explicit ParityElement(const ReferenceElement<E, Number> &element)
    {
      const auto part = [](const auto &table, const int i, const int q,
                           const int sign) {
        return (table[i][q] + sign * table[n - 1 - i][q]) / 2;
      };
      for (int q = 0; q < n; ++q)
        {
          weights[q] = element.weights[q];
          points[q]  = element.points[q];
        }
      for (int i = 0; i < n_even; ++i)
        for (int q = 0; q < n_even; ++q)
          {
            values_even[i][q] = part(element.values, i, q, 1);
            if (q < n_odd)
              gradients_even[i][q] = part(element.gradients, i, q, 1);
            if (i < n_odd)
              gradients_odd[i][q] = part(element.gradients, i, q, -1);
            if (i < n_odd && q < n_odd)
              values_odd[i][q] = part(element.values, i, q, -1);
          }
    }

    /// Computes the parts of u at the points from the parts at the nodes, and
    /// the function below the parts of its derivative.
    template <class T>
    TESSERA_HOST_DEVICE void
    values_at_points(const T (&nodes)[n], T (&at)[n]) const
    {
      to_points<false, false>(values_even, nodes, at);
      to_points<true, true>(values_odd, nodes, at);
    }

    template <class T>
    TESSERA_HOST_DEVICE void
    gradients_at_points(const T (&nodes)[n], T (&at)[n]) const
    {
      to_points<false, true>(gradients_even, nodes, at);
      to_points<true, false>(gradients_odd, nodes, at);
    }

    /// The transposes, which a butterfly completes: what parts of f at the
    /// points are against phi_i and phi_i'; the latter added.
    template <class T>
    TESSERA_HOST_DEVICE void
    test_by_values(const T (&f)[n], T (&r)[n]) const
    {
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        r[i] = T(Number(0));
      to_nodes<false, false>(values_even, f, r);
      to_nodes<true, true>(values_odd, f, r);
    }

    template <class T>
    TESSERA_HOST_DEVICE void
    test_by_gradients(const T (&f)[n], T (&r)[n]) const
    {
      to_nodes<false, true>(gradients_even, f, r);
      to_nodes<true, false>(gradients_odd, f, r);
    }

  private:
    TESSERA_HOST_DEVICE static constexpr int
    place(const bool odd, const int i)
    {
      return odd ? n - 1 - i : i;
    }

    template <bool from_odd, bool to_odd, class T, int n_from, int n_to>
    TESSERA_HOST_DEVICE void
    to_points(const Number (&table)[n_from][n_to], const T (&nodes)[n],
              T (&at)[n]) const
    {
      TESSERA_UNROLL
      for (int q = 0; q < n_to; ++q)
        {
          T sum = table[0][q] * nodes[place(from_odd, 0)];
          TESSERA_UNROLL
          for (int i = 1; i < n_from; ++i)
            sum += table[i][q] * nodes[place(from_odd, i)];
          at[place(to_odd, q)] = sum;
        }
    }

    template <bool to_odd, bool from_odd, class T, int n_to, int n_from>
    TESSERA_HOST_DEVICE void
    to_nodes(const Number (&table)[n_to][n_from], const T (&f)[n],
             T (&r)[n]) const
    {
      TESSERA_UNROLL
      for (int i = 0; i < n_to; ++i)
        TESSERA_UNROLL
      for (int q = 0; q < n_from; ++q)
        r[place(to_odd, i)] += table[i][q] * f[place(from_odd, q)];
    }
  };
} // namespace tessera

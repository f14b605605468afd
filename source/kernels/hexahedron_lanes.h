#pragma once

#include <tessera/space/reference_element.h>

#include "evaluator.cuh"

// The evaluator of hexahedra on the host, where a lane has a cell. Functions go
// from nodes to points once, in about 6 (p+1)^4 flops, and are differentiated
// there (collocation), in as many. In direction 2 both are one pass, whose
// derivative takes the polynomials of the nodes.
namespace tessera
{
  /// The tables of a hexahedron, and the derivatives at points of the
  /// polynomials that are 1 at one point and 0 at the others.
  template <class E, class Number>
  struct CollocatedElement : ReferenceElement<E, Number>
  {
    Number derivatives[E::n1][E::n1]; ///< [of point][at point]

    TESSERA_HOST
    CollocatedElement()
      : ReferenceElement<E, Number>(reference_element<E, Number>())
    {
      const ReferenceElement<E, double> exact = reference_element<E, double>();
      const double(&x)[E::n1]                 = exact.points;
      for (int i = 0; i < E::n1; ++i)
        for (int q = 0; q < E::n1; ++q)
          {
            double sum = 0;
            for (int k = 0; k < E::n1; ++k)
              {
                double product = k == i ? 0 : 1 / (x[i] - x[k]);
                for (int m = 0; m < E::n1; ++m)
                  if (m != i && m != k)
                    product *= (x[q] - x[m]) / (x[i] - x[m]);
                sum += product;
              }
            derivatives[i][q] = static_cast<Number>(sum);
          }
    }
  };

  /// y_q = sum_i table[i][q] x_i, or with `transposes` y_i = sum_q table[i][q]
  /// x_q, written or added to a line of n numbers that are `stride` apart.
  template <int stride, bool transposes = false, bool adds = false, int n,
            class Number, class T>
  TESSERA_HOST void
  sum_line(const Number (&table)[n][n], const T *const from, T *const to)
  {
    T x[n];
    TESSERA_UNROLL
    for (int i = 0; i < n; ++i)
      x[i] = from[i * stride];
    TESSERA_UNROLL
    for (int q = 0; q < n; ++q)
      {
        T sum = (transposes ? table[q][0] : table[0][q]) * x[0];
        TESSERA_UNROLL
        for (int i = 1; i < n; ++i)
          sum += (transposes ? table[q][i] : table[i][q]) * x[i];
        T &y = to[q * stride];
        y    = adds ? y + sum : sum;
      }
  }

  /// Does the work of `evaluate_cell` (evaluator.cuh). `v`, `along`, `across`
  /// and `up` have a function and its derivatives in directions 0, 1 and 2 at
  /// points, and then what tests them.
  template <class Uses, class E, class T, class Number, class Values,
            class AtPoint>
  TESSERA_HOST void
  evaluate_cell(const CollocatedElement<E, Number> &element, Values &u,
                T (&r)[Uses::out * E::n], const AtPoint &at_point)
  {
    static_assert(Uses::out <= Uses::in, "tests stand in place of functions");
    constexpr int n = E::n1, slab = n * n;
    constexpr int n_up = Uses::gradients ? Uses::in : 1;
    T v[Uses::in][E::n], up[n_up][Uses::gradients ? E::n : 1];
    T across[n_up][slab], along[n_up][n], plane[slab];

    for (int c = 0; c < Uses::in; ++c)
      {
        for (int i2 = 0; i2 < n; ++i2)
          {
            for (int i1 = 0; i1 < n; ++i1)
              sum_line<1>(element.values, &u[c * E::n + i2 * slab + i1 * n],
                          plane + i1 * n);
            for (int q0 = 0; q0 < n; ++q0)
              sum_line<n>(element.values, plane + q0, v[c] + i2 * slab + q0);
          }
        for (int i = 0; i < slab; ++i)
          {
            if constexpr (Uses::gradients)
              sum_line<slab>(element.gradients, v[c] + i, up[c] + i);
            sum_line<slab>(element.values, v[c] + i, v[c] + i);
          }
      }

    for (int q2 = 0; q2 < n; ++q2)
      {
        if constexpr (Uses::gradients)
          for (int c = 0; c < Uses::in; ++c)
            for (int q0 = 0; q0 < n; ++q0)
              sum_line<n>(element.derivatives, v[c] + q2 * slab + q0,
                          across[c] + q0);
        for (int q1 = 0; q1 < n; ++q1)
          {
            const int row = q2 * slab + q1 * n;
            if constexpr (Uses::gradients)
              for (int c = 0; c < Uses::in; ++c)
                sum_line<1>(element.derivatives, v[c] + row, along[c]);
            TESSERA_UNROLL
            for (int q0 = 0; q0 < n; ++q0)
              {
                PointValues<Uses::in, 3, T> in;
                PointValues<Uses::out, 3, T> out;
                TESSERA_UNROLL
                for (int c = 0; c < Uses::in; ++c)
                  {
                    if constexpr (Uses::values)
                      in.value[c] = v[c][row + q0];
                    if constexpr (Uses::gradients)
                      {
                        in.gradient[c][0] = along[c][q0];
                        in.gradient[c][1] = across[c][q1 * n + q0];
                        in.gradient[c][2] = up[c][row + q0];
                      }
                  }
                at_point(q0, q1, q2, in, out);
                TESSERA_UNROLL
                for (int c = 0; c < Uses::out; ++c)
                  {
                    if constexpr (Uses::values)
                      v[c][row + q0] = out.value[c];
                    if constexpr (Uses::gradients)
                      {
                        along[c][q0]           = out.gradient[c][0];
                        across[c][q1 * n + q0] = out.gradient[c][1];
                        up[c][row + q0]        = out.gradient[c][2];
                      }
                  }
              }
            if constexpr (Uses::gradients)
              for (int c = 0; c < Uses::out; ++c)
                sum_line<1, true, Uses::values>(element.derivatives, along[c],
                                                v[c] + row);
          }
        if constexpr (Uses::gradients)
          for (int c = 0; c < Uses::out; ++c)
            for (int q0 = 0; q0 < n; ++q0)
              sum_line<n, true, true>(element.derivatives, across[c] + q0,
                                      v[c] + q2 * slab + q0);
      }

    for (int c = 0; c < Uses::out; ++c)
      {
        for (int i = 0; i < slab; ++i)
          {
            sum_line<slab, true>(element.values, v[c] + i, v[c] + i);
            if constexpr (Uses::gradients)
              sum_line<slab, true, true>(element.gradients, up[c] + i,
                                         v[c] + i);
          }
        for (int i2 = 0; i2 < n; ++i2)
          {
            for (int q0 = 0; q0 < n; ++q0)
              sum_line<n, true>(element.values, v[c] + i2 * slab + q0,
                                plane + q0);
            for (int i1 = 0; i1 < n; ++i1)
              sum_line<1, true>(element.values, plane + i1 * n,
                                r + c * E::n + i2 * slab + i1 * n);
          }
      }
  }
} // namespace tessera

#pragma once

#include <tessera/assembly/options.h>
#include <tessera/space/geometry.h>
#include <tessera/space/reference_element.h>

namespace tessera
{
  /// The gradient of node i at point q of the reference cell.
  template <class E, class Number>
  TESSERA_HOST_DEVICE void
  reference_gradient(const ReferenceElement<E, Number> &element, const int i,
                     const int q, Number (&gradient)[E::dim])
  {
    constexpr int n = E::n1, dim = E::dim;
    TESSERA_UNROLL
    for (int d = 0; d < dim; ++d)
      if constexpr (E::simplex)
        gradient[d] = element.gradients[i][q][d];
      else
        {
          gradient[d] = Number(1);
          TESSERA_UNROLL
          for (int a = 0, stride = 1; a < dim; ++a, stride *= n)
            gradient[d] *= a == d
                             ? element.gradients[i / stride % n][q / stride % n]
                             : element.values[i / stride % n][q / stride % n];
        }
  }

  /// G = w det J J^-1 K J^-T at the quadrature points of a cell: computed once
  /// and kept (`local_reuse`), or where it is asked for, which is once a row
  /// (`redundant_compute`) or once in all (`global_reuse`).
  /// With `scratch_stride` > 0 the last component stands in
  /// `last[q scratch_stride]`, for elements whose values do not fit the
  /// registers of a thread.
  template <Strategy strategy, class Form, class E, int scratch_stride, class T,
            class Number, class CellGeometry, class CoefficientAt>
  struct Metric
  {
    static constexpr int size     = n_symmetric(E::dim);
    static constexpr bool keep    = strategy == Strategy::local_reuse;
    static constexpr bool scratch = keep && scratch_stride > 0;
    static constexpr int in_place = scratch ? size - 1 : size;

    const ReferenceElement<E, Number> &element;
    const CellGeometry &geometry;
    const CoefficientAt &coefficient;
    T *last;
    T kept[keep ? E::n_points : 1][in_place];

    TESSERA_HOST_DEVICE
    Metric(const ReferenceElement<E, Number> &element,
           const CellGeometry &geometry, const CoefficientAt &coefficient,
           T *last)
      : element(element), geometry(geometry), coefficient(coefficient),
        last(last)
    {
      if constexpr (keep)
        {
          TESSERA_UNROLL_BY(E::n_points)
          for (int q = 0; q < E::n_points; ++q)
            {
              T g[size];
              compute(q, g);
              TESSERA_UNROLL
              for (int c = 0; c < in_place; ++c)
                kept[q][c] = g[c];
              if constexpr (scratch)
                last[q * scratch_stride] = g[size - 1];
            }
        }
    }

    /// `zero` is 0 and hides from the compiler that scratch is read again.
    TESSERA_HOST_DEVICE void
    at(const int q, const int zero, T (&g)[size]) const
    {
      if constexpr (keep)
        {
          TESSERA_UNROLL
          for (int c = 0; c < in_place; ++c)
            g[c] = kept[q][c];
          if constexpr (scratch)
            g[size - 1] = last[q * scratch_stride + zero];
        }
      else
        compute(q, g);
    }

  private:
    TESSERA_HOST_DEVICE void
    compute(const int q, T (&g)[size]) const
    {
      constexpr int n = E::n1;
      T j[E::dim][E::dim], k[Form::n_coefficients];
      Number weight;
      if constexpr (E::simplex)
        {
          geometry.jacobian(element, q, j);
          weight = element.weights[q];
        }
      else if constexpr (E::dim == 2)
        {
          geometry.jacobian(element, q % n, q / n, j);
          weight = element.weights[q % n] * element.weights[q / n];
        }
      else
        {
          geometry.jacobian(element, q % n, q / n % n, q / n / n, j);
          weight = element.weights[q % n] * element.weights[q / n % n] *
                   element.weights[q / n / n];
        }
      coefficient(q, k);
      metric<Form>(j, k, weight, g);
    }
  };
} // namespace tessera

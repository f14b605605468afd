#pragma once

#include <tessera/space/geometry.h>
#include <tessera/space/reference_element.h>

// The load vector of a cell whose values one thread (or one lane) holds,
// r_i = sum_q w det J f(q) phi_i(q), sum factorised on tensor-product cells;
// `source(q, f)` gives f at point q.
namespace tessera
{
  template <class E, class T, class Number, class CellGeometry, class SourceAt>
  TESSERA_HOST_DEVICE void
  load_on_quadrilateral(const ReferenceElement<E, Number> &element,
                        const CellGeometry &geometry, const SourceAt &source,
                        T (&r)[E::n])
  {
    constexpr int n = E::n1;
    TESSERA_UNROLL
    for (int i = 0; i < n * n; ++i)
      r[i] = T(Number(0));
    TESSERA_UNROLL
    for (int q1 = 0; q1 < n; ++q1)
      {
        T row[n];
        TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          row[i0] = T(Number(0));
        TESSERA_UNROLL
        for (int q0 = 0; q0 < n; ++q0)
          {
            T j[2][2], f[1];
            geometry.jacobian(element, q0, q1, j);
            source(q1 * n + q0, f);
            const T weighted = (element.weights[q0] * element.weights[q1]) *
                               determinant(j) * f[0];
            TESSERA_UNROLL
            for (int i0 = 0; i0 < n; ++i0)
              row[i0] += element.values[i0][q0] * weighted;
          }
        TESSERA_UNROLL
        for (int i = 0; i < n * n; ++i)
          r[i] += element.values[i / n][q1] * row[i % n];
      }
  }

  template <class E, class T, class Number, class CellGeometry, class SourceAt>
  TESSERA_HOST_DEVICE void
  load_on_hexahedron(const ReferenceElement<E, Number> &element,
                     const CellGeometry &geometry, const SourceAt &source,
                     T (&r)[E::n])
  {
    constexpr int n = E::n1, slab = n * n;
    for (int i = 0; i < E::n; ++i)
      r[i] = T(Number(0));
    for (int q2 = 0; q2 < n; ++q2)
      {
        T plane[slab];
        for (int i = 0; i < slab; ++i)
          plane[i] = T(Number(0));
        for (int q1 = 0; q1 < n; ++q1)
          {
            T line[n];
            for (int q0 = 0; q0 < n; ++q0)
              {
                T j[3][3], f[1];
                geometry.jacobian(element, q0, q1, q2, j);
                source(q2 * slab + q1 * n + q0, f);
                const T weighted = (element.weights[q0] * element.weights[q1] *
                                    element.weights[q2]) *
                                   determinant(j) * f[0];
                for (int i0 = 0; i0 < n; ++i0)
                  line[i0] = q0 == 0
                               ? element.values[i0][q0] * weighted
                               : line[i0] + element.values[i0][q0] * weighted;
              }
            for (int i = 0; i < slab; ++i)
              plane[i] += element.values[i / n][q1] * line[i % n];
          }
        for (int i = 0; i < E::n; ++i)
          r[i] += element.values[i / slab][q2] * plane[i % slab];
      }
  }

  template <class E, class T, class Number, class CellGeometry, class SourceAt>
  TESSERA_HOST_DEVICE void
  load_on_simplex(const ReferenceElement<E, Number> &element,
                  const CellGeometry &geometry, const SourceAt &source,
                  T (&r)[E::n])
  {
    TESSERA_ROLLED
    for (int q = 0; q < E::n_points; ++q)
      {
        T j[E::dim][E::dim], f[1];
        geometry.jacobian(element, q, j);
        source(q, f);
        const T weighted = element.weights[q] * determinant(j) * f[0];
        TESSERA_UNROLL_BY(E::n)
        for (int i = 0; i < E::n; ++i)
          r[i] = q == 0 ? element.values[i][q] * weighted
                        : r[i] + element.values[i][q] * weighted;
      }
  }

  template <class E, class T, class Number, class CellGeometry, class SourceAt>
  TESSERA_HOST_DEVICE void
  cell_load(const ReferenceElement<E, Number> &element,
            const CellGeometry &geometry, const SourceAt &source, T (&r)[E::n])
  {
    if constexpr (E::simplex)
      load_on_simplex<E>(element, geometry, source, r);
    else if constexpr (E::dim == 2)
      load_on_quadrilateral<E>(element, geometry, source, r);
    else
      load_on_hexahedron<E>(element, geometry, source, r);
  }
} // namespace tessera

#pragma once

#include <tessera/space/geometry.h>
#include <tessera/space/reference_element.h>

namespace tessera
{
  /// r_i = sum_q w det J f(q) phi_i(q), sum factorised; `source(q, f)` gives
  /// f at point q.
  template <int degree, class T, class Number, class SourceAt>
  TESSERA_HOST_DEVICE void
  cell_load(const ReferenceElement<degree, Number> &element,
            const BilinearGeometry<T> &geometry, const SourceAt &source,
            T (&r)[(degree + 1) * (degree + 1)])
  {
    constexpr int n = degree + 1;
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
            geometry.jacobian(element.points[q0], element.points[q1], j);
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
} // namespace tessera

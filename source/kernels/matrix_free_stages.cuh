#pragma once

#include "parity_element.h"
#include <tessera/base/attributes.h>
#include <tessera/space/cell_values.h>

#include <type_traits>

// y_e = K_e x_e of a quadrilateral in three passes, for degrees where u and r
// do not fit into registers beside what a point needs: along columns, line by
// line of points, along columns. Between them stand two tables, of u and of its
// derivative in direction 1, and then of what tests them: [line of points][part
// of the node column], parts as in parity_element.h.
namespace tessera
{
  /// The even part of two mirrored values to the first, the odd part to the
  /// second; and back, but for a factor of two, which is this map's transpose
  /// too.
  template <class T>
  TESSERA_HOST_DEVICE void
  butterfly(T &a, T &b)
  {
    const T sum = a + b;
    b           = a - b;
    a           = sum;
  }

  template <class T, int n>
  TESSERA_HOST_DEVICE void
  butterflies(T (&line)[n])
  {
    TESSERA_UNROLL
    for (int i = 0; i < n / 2; ++i)
      butterfly(line[i], line[n - 1 - i]);
  }

  /// Goes in direction 1 from u at the nodes, in `values`, to u and its
  /// derivative on all lines of points. Columns go in pairs, which are split.
  template <class E, class Number, class Stage>
  TESSERA_HOST_DEVICE void
  stage_columns(const ParityElement<E, Number> &element, Stage &values,
                Stage &derivatives)
  {
    using T         = std::remove_reference_t<decltype(values[0])>;
    constexpr int n = E::n1;
    TESSERA_UNROLL
    for (int i0 = 0; i0 < (n + 1) / 2; ++i0)
      {
        const int mirrored = n - 1 - i0;
        const bool paired  = i0 != mirrored;
        values.reread();
        T u[2][n];
        TESSERA_UNROLL
        for (int i1 = 0; i1 < n; ++i1)
          {
            u[0][i1] = values[i1 * n + i0];
            if (paired)
              {
                u[1][i1] = values[i1 * n + mirrored];
                butterfly(u[0][i1], u[1][i1]);
              }
          }
        TESSERA_UNROLL
        for (int part = 0; part < 1 + paired; ++part)
          {
            const int column = part == 0 ? i0 : mirrored;
            T value[n], slope[n];
            butterflies(u[part]);
            element.values_at_points(u[part], value);
            element.gradients_at_points(u[part], slope);
            butterflies(value);
            butterflies(slope);
            TESSERA_UNROLL
            for (int q1 = 0; q1 < n; ++q1)
              {
                values[q1 * n + column]      = value[q1];
                derivatives[q1 * n + column] = slope[q1];
              }
          }
      }
  }

  /// Line by line, what tests u and its derivative takes their place. Returns
  /// grad u . F(grad u), summed over the points.
  template <class E, class Number, class Flux, class Stage>
  TESSERA_HOST_DEVICE auto
  stage_lines(const ParityElement<E, Number> &element, const Flux &flux,
              Stage &values, Stage &derivatives)
  {
    using T         = std::remove_reference_t<decltype(values[0])>;
    constexpr int n = E::n1;
    T density       = T(Number(0));
    TESSERA_ROLLED
    for (int q1 = 0; q1 < n; ++q1)
      {
        const auto of_line = flux.line(element, q1);
        T line[2][n], g[2][n];
        TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          {
            line[0][i0] = values[q1 * n + i0];
            line[1][i0] = derivatives[q1 * n + i0];
          }
        element.gradients_at_points(line[0], g[0]);
        element.values_at_points(line[1], g[1]);
        butterflies(g[0]);
        butterflies(g[1]);
        TESSERA_UNROLL
        for (int q0 = 0; q0 < n; ++q0)
          {
            const T gradient[2] = {g[0][q0], g[1][q0]};
            T f[2];
            of_line(element, q0, gradient, f);
            density += gradient[0] * f[0] + gradient[1] * f[1];
            g[0][q0] = f[0];
            g[1][q0] = f[1];
          }
        butterflies(g[0]);
        butterflies(g[1]);
        TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          line[0][i0] = T(Number(0));
        element.test_by_gradients(g[0], line[0]);
        element.test_by_values(g[1], line[1]);
        TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          {
            values[q1 * n + i0]      = line[0][i0];
            derivatives[q1 * n + i0] = line[1][i0];
          }
      }
    return density;
  }

  /// r, tested in direction 1.
  template <class E, class T, class Number, class Stage>
  TESSERA_HOST_DEVICE void
  sum_columns(const ParityElement<E, Number> &element, Stage &values,
              Stage &derivatives, T (&r)[E::n])
  {
    constexpr int n = E::n1;
    TESSERA_UNROLL
    for (int i0 = 0; i0 < n; ++i0)
      {
        values.reread();
        derivatives.reread();
        T f[2][n], sum[n];
        TESSERA_UNROLL
        for (int q1 = 0; q1 < n; ++q1)
          {
            f[0][q1] = values[q1 * n + i0];
            f[1][q1] = derivatives[q1 * n + i0];
          }
        butterflies(f[0]);
        butterflies(f[1]);
        element.test_by_values(f[0], sum);
        element.test_by_gradients(f[1], sum);
        butterflies(sum);
        TESSERA_UNROLL
        for (int i1 = 0; i1 < n; ++i1)
          r[i1 * n + i0] = sum[i1];
      }
    TESSERA_UNROLL
    for (int i1 = 0; i1 < n; ++i1)
      TESSERA_UNROLL
    for (int i0 = 0; i0 < n / 2; ++i0)
      butterfly(r[i1 * n + i0], r[i1 * n + n - 1 - i0]);
  }
} // namespace tessera

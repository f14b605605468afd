#pragma once

#include <tessera/space/cell_values.h>
#include <tessera/space/geometry.h>
#include <tessera/space/reference_element.h>

// y_e = K_e x_e by sum factorisation, with the geometry from the vertices.
//
//   r_i += sum_q (grad phi_i . F(grad u))_q,   F = w det J J^-1 flux(J^-T .)
//
// Quadrature points go row by row: for each q1, the gradient of u at all
// points of the row, the flux, and its test in direction 0; the row is then
// tested in direction 1. Flops a cell 16 (p+1)^3 + 40 (p+1)^2; values kept at
// a time 2 (p+1)^2 + 4 (p+1).
namespace tessera
{
  /// `coefficient(q, k)` gives the form's coefficient at point q; `u` are the
  /// values of the nodes.
  template <class Form, int degree, class T, class Number, class CoefficientAt,
            class Values>
  TESSERA_HOST_DEVICE void
  cell_product(const ReferenceElement<degree, Number> &element,
               const BilinearGeometry<T> &geometry,
               const CoefficientAt &coefficient, Values &u,
               T (&r)[(degree + 1) * (degree + 1)])
  {
    constexpr int n = degree + 1;
    TESSERA_UNROLL
    for (int i = 0; i < n * n; ++i)
      r[i] = T(Number(0));
    TESSERA_ROLLED
    for (int q1 = 0; q1 < n; ++q1)
      {
        u.again();
        // Of node column i0 on the line of points q1: u and its derivative in
        // direction 1.
        T value[n], derivative[n];
        TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          {
            value[i0]      = element.values[0][q1] * u[i0];
            derivative[i0] = element.gradients[0][q1] * u[i0];
            TESSERA_UNROLL
            for (int i1 = 1; i1 < n; ++i1)
              {
                value[i0] += element.values[i1][q1] * u[i1 * n + i0];
                derivative[i0] += element.gradients[i1][q1] * u[i1 * n + i0];
              }
          }

        // Of node column i0: the flux of the line tested in direction 0.
        T test_0[n], test_1[n];
        TESSERA_UNROLL
        for (int q0 = 0; q0 < n; ++q0)
          {
            T g0 = element.gradients[0][q0] * value[0];
            T g1 = element.values[0][q0] * derivative[0];
            TESSERA_UNROLL
            for (int i0 = 1; i0 < n; ++i0)
              {
                g0 += element.gradients[i0][q0] * value[i0];
                g1 += element.values[i0][q0] * derivative[i0];
              }
            T j[2][2], k[Form::n_coefficients], f0, f1;
            geometry.jacobian(element.points[q0], element.points[q1], j);
            coefficient(q1 * n + q0, k);
            reference_flux<Form>(
              j, k, element.weights[q0] * element.weights[q1], g0, g1, f0, f1);
            TESSERA_UNROLL
            for (int i0 = 0; i0 < n; ++i0)
              {
                const T t0 = element.gradients[i0][q0] * f0;
                const T t1 = element.values[i0][q0] * f1;
                test_0[i0] = q0 == 0 ? t0 : test_0[i0] + t0;
                test_1[i0] = q0 == 0 ? t1 : test_1[i0] + t1;
              }
          }

        int line = q1;
        forget(line); // tables are read again: registers are short
        TESSERA_UNROLL
        for (int i1 = 0; i1 < n; ++i1)
          TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          r[i1 * n + i0] += element.values[i1][line] * test_0[i0] +
                            element.gradients[i1][line] * test_1[i0];
      }
  }
} // namespace tessera

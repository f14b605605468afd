#pragma once

#include <tessera/space/cell_values.h>
#include <tessera/space/geometry.h>
#include <tessera/space/reference_element.h>

// y_e = K_e x_e of a cell whose values one thread (or one lane) holds,
//
//   r_i = sum_q (grad phi_i . F(grad u))_q,   F = w det J J^-1 flux(J^-T .),
//
// on tensor-product cells by sum factorisation: with flops a cell of
// 16 (p+1)^3 + 40 (p+1)^2 for quadrilaterals and about
// 24 (p+1)^4 + 100 (p+1)^3 for hexahedra.
namespace tessera
{
  /// Of a line of points in direction 0, given u and its derivative in
  /// direction 1 at the node columns: the gradient (two components), the flux
  /// by `flux(q0, g, f)`, and its test in direction 0.
  template <int n, class Tables, class T, class Flux>
  TESSERA_HOST_DEVICE void
  line_product(const Tables &element, const T (&value)[n],
               const T (&derivative)[n], T (&test_0)[n], T (&test_1)[n],
               const Flux &flux)
  {
    TESSERA_UNROLL
    for (int q0 = 0; q0 < n; ++q0)
      {
        T g[2] = {element.gradients[0][q0] * value[0],
                  element.values[0][q0] * derivative[0]};
        TESSERA_UNROLL
        for (int i0 = 1; i0 < n; ++i0)
          {
            g[0] += element.gradients[i0][q0] * value[i0];
            g[1] += element.values[i0][q0] * derivative[i0];
          }
        T f[2];
        flux(q0, g, f);
        TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          {
            const T t0 = element.gradients[i0][q0] * f[0];
            const T t1 = element.values[i0][q0] * f[1];
            test_0[i0] = q0 == 0 ? t0 : test_0[i0] + t0;
            test_1[i0] = q0 == 0 ? t1 : test_1[i0] + t1;
          }
      }
  }

  /// Quadrilaterals: for each line q1 of points, the gradient of u at all its
  /// points, the flux, and its test in direction 0; the line is then tested in
  /// direction 1. Values kept at a time: 2 (p+1)^2 + 4 (p+1).
  template <class Form, class E, class T, class Number, class CellGeometry,
            class CoefficientAt, class Values>
  TESSERA_HOST_DEVICE void
  product_on_quadrilateral(const ReferenceElement<E, Number> &element,
                           const CellGeometry &geometry,
                           const CoefficientAt &coefficient, Values &u,
                           T (&r)[E::n])
  {
    constexpr int n = E::n1;
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

        T test_0[n], test_1[n];
        line_product<n>(element, value, derivative, test_0, test_1,
                        [&](const int q0, const T(&g)[2], T(&f)[2]) {
                          T j[2][2], k[Form::n_coefficients];
                          geometry.jacobian(element, q0, q1, j);
                          coefficient(q1 * n + q0, k);
                          reference_flux<Form>(
                            j, k, element.weights[q0] * element.weights[q1], g,
                            f);
                        });

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

  /// Hexahedra: slab by slab (q2) of points, in it line by line (q1).
  template <class Form, class E, class T, class Number, class CellGeometry,
            class CoefficientAt, class Values>
  TESSERA_HOST_DEVICE void
  product_on_hexahedron(const ReferenceElement<E, Number> &element,
                        const CellGeometry &geometry,
                        const CoefficientAt &coefficient, Values &u,
                        T (&r)[E::n])
  {
    constexpr int n = E::n1, slab = n * n;
    for (int i = 0; i < E::n; ++i)
      r[i] = T(Number(0));
    for (int q2 = 0; q2 < n; ++q2)
      {
        // u and its derivative in direction 2, and what tests them.
        T value[slab], derivative[slab], test[slab], test_2[slab];
        for (int i = 0; i < slab; ++i)
          {
            value[i]      = element.values[0][q2] * u[i];
            derivative[i] = element.gradients[0][q2] * u[i];
            TESSERA_UNROLL
            for (int i2 = 1; i2 < n; ++i2)
              {
                value[i] += element.values[i2][q2] * u[i2 * slab + i];
                derivative[i] += element.gradients[i2][q2] * u[i2 * slab + i];
              }
            test[i] = test_2[i] = T(Number(0));
          }
        for (int q1 = 0; q1 < n; ++q1)
          {
            T along[n], across[n], up[n]; // u, du/dxi_1, du/dxi_2 on the line
            TESSERA_UNROLL
            for (int i0 = 0; i0 < n; ++i0)
              {
                along[i0]  = element.values[0][q1] * value[i0];
                across[i0] = element.gradients[0][q1] * value[i0];
                up[i0]     = element.values[0][q1] * derivative[i0];
                TESSERA_UNROLL
                for (int i1 = 1; i1 < n; ++i1)
                  {
                    along[i0] += element.values[i1][q1] * value[i1 * n + i0];
                    across[i0] +=
                      element.gradients[i1][q1] * value[i1 * n + i0];
                    up[i0] += element.values[i1][q1] * derivative[i1 * n + i0];
                  }
              }
            T test_0[n], test_1[n], test_up[n];
            TESSERA_UNROLL
            for (int i0 = 0; i0 < n; ++i0)
              test_up[i0] = T(Number(0));
            line_product<n>(element, along, across, test_0, test_1,
                            [&](const int q0, const T(&g)[2], T(&f)[2]) {
                              T third = element.values[0][q0] * up[0];
                              TESSERA_UNROLL
                              for (int i0 = 1; i0 < n; ++i0)
                                third += element.values[i0][q0] * up[i0];
                              const T gradient[3] = {g[0], g[1], third};
                              T j[3][3], k[Form::n_coefficients], flux[3];
                              geometry.jacobian(element, q0, q1, q2, j);
                              coefficient(q2 * slab + q1 * n + q0, k);
                              reference_flux<Form>(j, k,
                                                   element.weights[q0] *
                                                     element.weights[q1] *
                                                     element.weights[q2],
                                                   gradient, flux);
                              f[0] = flux[0];
                              f[1] = flux[1];
                              TESSERA_UNROLL
                              for (int i0 = 0; i0 < n; ++i0)
                                test_up[i0] += element.values[i0][q0] * flux[2];
                            });
            for (int i1 = 0; i1 < n; ++i1)
              TESSERA_UNROLL
            for (int i0 = 0; i0 < n; ++i0)
              {
                test[i1 * n + i0] += element.values[i1][q1] * test_0[i0] +
                                     element.gradients[i1][q1] * test_1[i0];
                test_2[i1 * n + i0] += element.values[i1][q1] * test_up[i0];
              }
          }
        for (int i2 = 0; i2 < n; ++i2)
          for (int i = 0; i < slab; ++i)
            r[i2 * slab + i] += element.values[i2][q2] * test[i] +
                                element.gradients[i2][q2] * test_2[i];
      }
  }

  /// Triangles and tetrahedra, point by point.
  template <class Form, class E, class T, class Number, class CellGeometry,
            class CoefficientAt, class Values>
  TESSERA_HOST_DEVICE void
  product_on_simplex(const ReferenceElement<E, Number> &element,
                     const CellGeometry &geometry,
                     const CoefficientAt &coefficient, Values &u, T (&r)[E::n])
  {
    constexpr int dim = E::dim;
    TESSERA_UNROLL_BY(1)
    for (int q = 0; q < E::n_points; ++q)
      {
        T g[dim], f[dim], j[dim][dim], k[Form::n_coefficients];
        TESSERA_UNROLL
        for (int d = 0; d < dim; ++d)
          {
            g[d] = element.gradients[0][q][d] * u[0];
            TESSERA_UNROLL_BY(E::n)
            for (int i = 1; i < E::n; ++i)
              g[d] += element.gradients[i][q][d] * u[i];
          }
        geometry.jacobian(element, q, j);
        coefficient(q, k);
        reference_flux<Form>(j, k, element.weights[q], g, f);
        TESSERA_UNROLL_BY(E::n)
        for (int i = 0; i < E::n; ++i)
          {
            T sum = element.gradients[i][q][0] * f[0];
            TESSERA_UNROLL
            for (int d = 1; d < dim; ++d)
              sum += element.gradients[i][q][d] * f[d];
            r[i] = q == 0 ? sum : r[i] + sum;
          }
      }
  }

  /// `coefficient(q, k)` gives the form's coefficient at point q; `u` are the
  /// values of the nodes.
  template <class Form, class E, class T, class Number, class CellGeometry,
            class CoefficientAt, class Values>
  TESSERA_HOST_DEVICE void
  cell_product(const ReferenceElement<E, Number> &element,
               const CellGeometry &geometry, const CoefficientAt &coefficient,
               Values &u, T (&r)[E::n])
  {
    if constexpr (E::simplex)
      product_on_simplex<Form, E>(element, geometry, coefficient, u, r);
    else if constexpr (E::dim == 2)
      product_on_quadrilateral<Form, E>(element, geometry, coefficient, u, r);
    else
      product_on_hexahedron<Form, E>(element, geometry, coefficient, u, r);
  }
} // namespace tessera

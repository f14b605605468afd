#pragma once

#include <tessera/forms/form.h>
#include <tessera/space/reference_element.h>

// The evaluator of a cell whose values one thread (or one lane) holds. From the
// values u of a few functions at the nodes it computes their values and
// reference gradients at every quadrature point, calls
//   at_point(q..., in, out),
// with the indices (q0, q1[, q2]) of the point on cells of tensor type and its
// number on others, and tests what that returns:
//   r_i = sum_q out.value phi_i(q) + out.gradient . grad phi_i(q).
// `Uses` says which of both there are; `in` has n_in functions, `out` n_out.
// On quadrilaterals sums are factorised, in 16 (p+1)^3 flops a function for
// gradients. Hexahedra have evaluators of their own: hexahedron_lanes.h on the
// host, hexahedron_planes.cuh and hexahedron_thread.cuh on devices.
namespace tessera
{
  /// What an evaluator computes: the functions u have `n_in` components, tested
  /// ones `n_out`, and `E` is the element.
  template <bool uses_values, bool uses_gradients, int n_in, int n_out>
  struct Uses
  {
    static constexpr bool values    = uses_values;
    static constexpr bool gradients = uses_gradients;
    static constexpr int in         = n_in;
    static constexpr int out        = n_out;
  };

  /// Works on a line of points of a quadrilateral in direction 0. `value` and
  /// `derivative` have the functions and their derivatives in direction 1 at
  /// the columns of nodes; `test_0` and `test_1` become what tests them.
  template <class Uses, int n, class Tables, class T, class AtPoint>
  TESSERA_HOST_DEVICE void
  evaluate_line(const Tables &element, const T (&value)[Uses::in][n],
                const T (&derivative)[Uses::in][n], T (&test_0)[Uses::out][n],
                T (&test_1)[Uses::out][n], const AtPoint &at_point)
  {
    TESSERA_UNROLL
    for (int q0 = 0; q0 < n; ++q0)
      {
        PointValues<Uses::in, 2, T> in;
        PointValues<Uses::out, 2, T> out;
        TESSERA_UNROLL
        for (int c = 0; c < Uses::in; ++c)
          {
            if constexpr (Uses::gradients)
              {
                T(&g)[2] = in.gradient[c];
                g[0]     = element.gradients[0][q0] * value[c][0];
                g[1]     = element.values[0][q0] * derivative[c][0];
                TESSERA_UNROLL
                for (int i0 = 1; i0 < n; ++i0)
                  {
                    g[0] += element.gradients[i0][q0] * value[c][i0];
                    g[1] += element.values[i0][q0] * derivative[c][i0];
                  }
              }
            if constexpr (Uses::values)
              {
                in.value[c] = element.values[0][q0] * value[c][0];
                TESSERA_UNROLL
                for (int i0 = 1; i0 < n; ++i0)
                  in.value[c] += element.values[i0][q0] * value[c][i0];
              }
          }
        at_point(q0, in, out);
        TESSERA_UNROLL
        for (int c = 0; c < Uses::out; ++c)
          TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          {
            if constexpr (Uses::gradients)
              {
                const T t0    = element.gradients[i0][q0] * out.gradient[c][0];
                const T t1    = element.values[i0][q0] * out.gradient[c][1];
                test_0[c][i0] = q0 == 0 ? t0 : test_0[c][i0] + t0;
                test_1[c][i0] = q0 == 0 ? t1 : test_1[c][i0] + t1;
              }
            if constexpr (Uses::values)
              {
                const T t = element.values[i0][q0] * out.value[c];
                test_0[c][i0] =
                  q0 == 0 && !Uses::gradients ? t : test_0[c][i0] + t;
              }
          }
      }
  }

  /// Quadrilaterals: for each line q1 of points, the functions at all its
  /// points and their test in direction 0; the line is then tested in direction
  /// 1. Values kept at a time for one function: 2 (p+1)^2 + 4 (p+1).
  template <class Uses, class E, class T, class Number, class Values,
            class AtPoint>
  TESSERA_HOST_DEVICE void
  evaluate_quadrilateral(const ReferenceElement<E, Number> &element, Values &u,
                         T (&r)[Uses::out * E::n], const AtPoint &at_point)
  {
    constexpr int n = E::n1;
    TESSERA_UNROLL
    for (int i = 0; i < Uses::out * n * n; ++i)
      r[i] = T(Number(0));
    TESSERA_ROLLED
    for (int q1 = 0; q1 < n; ++q1)
      {
        u.reread();
        // These are u and its derivative in direction 1, at node column i0 on
        // the line of points q1.
        T value[Uses::in][n], derivative[Uses::in][n];
        TESSERA_UNROLL
        for (int c = 0; c < Uses::in; ++c)
          TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          {
            const int first = c * E::n + i0;
            value[c][i0]    = element.values[0][q1] * u[first];
            if constexpr (Uses::gradients)
              derivative[c][i0] = element.gradients[0][q1] * u[first];
            TESSERA_UNROLL
            for (int i1 = 1; i1 < n; ++i1)
              {
                value[c][i0] += element.values[i1][q1] * u[first + i1 * n];
                if constexpr (Uses::gradients)
                  derivative[c][i0] +=
                    element.gradients[i1][q1] * u[first + i1 * n];
              }
          }

        T test_0[Uses::out][n], test_1[Uses::out][n];
        evaluate_line<Uses, n>(element, value, derivative, test_0, test_1,
                               [&](const int q0,
                                   const PointValues<Uses::in, 2, T> &in,
                                   PointValues<Uses::out, 2, T> &out) {
                                 at_point(q0, q1, in, out);
                               });

        int line = q1;
        forget(line); // tables are read again: registers are short
        TESSERA_UNROLL
        for (int c = 0; c < Uses::out; ++c)
          TESSERA_UNROLL
        for (int i1 = 0; i1 < n; ++i1)
          TESSERA_UNROLL
        for (int i0 = 0; i0 < n; ++i0)
          if constexpr (Uses::gradients)
            r[c * E::n + i1 * n + i0] +=
              element.values[i1][line] * test_0[c][i0] +
              element.gradients[i1][line] * test_1[c][i0];
          else
            r[c * E::n + i1 * n + i0] +=
              element.values[i1][line] * test_0[c][i0];
      }
  }

  /// Triangles and tetrahedra, point by point.
  template <class Uses, class E, class T, class Number, class Values,
            class AtPoint>
  TESSERA_HOST_DEVICE void
  evaluate_simplex(const ReferenceElement<E, Number> &element, Values &u,
                   T (&r)[Uses::out * E::n], const AtPoint &at_point)
  {
    constexpr int dim = E::dim;
    TESSERA_UNROLL_BY(has_few_points<E> ? E::n_points : 1)
    for (int q = 0; q < E::n_points; ++q)
      {
        PointValues<Uses::in, dim, T> in;
        PointValues<Uses::out, dim, T> out;
        TESSERA_UNROLL
        for (int c = 0; c < Uses::in; ++c)
          {
            if constexpr (Uses::gradients)
              {
                T(&g)[dim] = in.gradient[c];
                TESSERA_UNROLL
                for (int d = 0; d < dim; ++d)
                  {
                    g[d] = element.gradients[0][q][d] * u[c * E::n];
                    TESSERA_UNROLL_BY(E::n)
                    for (int i = 1; i < E::n; ++i)
                      g[d] += element.gradients[i][q][d] * u[c * E::n + i];
                  }
              }
            if constexpr (Uses::values)
              {
                in.value[c] = element.values[0][q] * u[c * E::n];
                TESSERA_UNROLL_BY(E::n)
                for (int i = 1; i < E::n; ++i)
                  in.value[c] += element.values[i][q] * u[c * E::n + i];
              }
          }
        at_point(q, in, out);
        TESSERA_UNROLL
        for (int c = 0; c < Uses::out; ++c)
          TESSERA_UNROLL_BY(E::n)
        for (int i = 0; i < E::n; ++i)
          {
            T sum;
            if constexpr (Uses::gradients)
              {
                const T(&f)[dim] = out.gradient[c];
                sum              = element.gradients[i][q][0] * f[0];
                TESSERA_UNROLL
                for (int d = 1; d < dim; ++d)
                  sum += element.gradients[i][q][d] * f[d];
                if constexpr (Uses::values)
                  sum += element.values[i][q] * out.value[c];
              }
            else
              sum = element.values[i][q] * out.value[c];
            T &to = r[c * E::n + i];
            to    = q == 0 ? sum : to + sum;
          }
      }
  }

  /// Calls the evaluator of the element's shape. `u[c n + i]` is function c at
  /// node i, and so is r.
  template <class Uses, class E, class T, class Number, class Values,
            class AtPoint>
  TESSERA_HOST_DEVICE void
  evaluate_cell(const ReferenceElement<E, Number> &element, Values &u,
                T (&r)[Uses::out * E::n], const AtPoint &at_point)
  {
    static_assert(E::cell_type != CellType::hexahedron,
                  "lanes of the host have hexahedron_lanes.h, devices teams");
    if constexpr (E::simplex)
      evaluate_simplex<Uses, E>(element, u, r, at_point);
    else
      evaluate_quadrilateral<Uses, E>(element, u, r, at_point);
  }
} // namespace tessera

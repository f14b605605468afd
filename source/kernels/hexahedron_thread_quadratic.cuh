#pragma once

#include "hexahedron_thread.cuh"

// r = K_e x_e of a flux form on a hexahedron of degree 2, for one thread with
// 75 words of shared memory of its own. u is kept as a polynomial in the
// distances t from the middle of the cell, u = sum_abc U_abc phi_a(t0)
// phi_b(t1) phi_c(t2) with phi = 1, t, 2 t^2, and in each direction the points
// are at t = -tau, 0, tau: a value takes two operations, a slope one, and both
// none in the middle. Tests of the points are collected by the same functions,
// and go back to nodes at the end.
namespace tessera
{
  /// Lines of three nodes and three Gauss points.
  template <class Number>
  struct QuadraticLine
  {
    static constexpr double tau = 0.38729833462074168852; ///< sqrt(15) / 10

    TESSERA_DEVICE static Number
    t(const int q)
    {
      return q == 0 ? Number(-tau) : q == 1 ? Number(0) : Number(tau);
    }

    /// 2 t^2.
    TESSERA_DEVICE static Number
    square(const int q)
    {
      return q == 1 ? Number(0) : Number(0.3);
    }

    TESSERA_DEVICE static Number
    weight(const int q)
    {
      return q == 1 ? Number(8. / 18) : Number(5. / 18);
    }

    /// Replaces values at nodes by coefficients of a + b t + 2 c t^2.
    TESSERA_DEVICE static void
    to_polynomial(Number &a, Number &b, Number &c)
    {
      const Number difference = c - a, bend = a + c - 2 * b;
      a = b;
      b = difference;
      c = bend;
    }

    /// The transpose.
    TESSERA_DEVICE static void
    to_nodes(Number &a, Number &b, Number &c)
    {
      const Number left = c - b, middle = a - 2 * c, right = c + b;
      a = left;
      b = middle;
      c = right;
    }

    /// a + b t.
    TESSERA_DEVICE static Number
    linear(const int q, const Number a, const Number b)
    {
      return q == 1 ? a : a + t(q) * b;
    }

    /// a + b t + 2 c t^2.
    TESSERA_DEVICE static Number
    value(const int q, const Number a, const Number b, const Number c)
    {
      return q == 1 ? a : a + t(q) * b + square(q) * c;
    }

    /// The derivative b + 4 c t.
    TESSERA_DEVICE static Number
    slope(const int q, const Number b, const Number c)
    {
      return linear(q, b, 4 * c);
    }

    /// Adds what f tests at point q by values. Points come in their order.
    TESSERA_DEVICE static void
    test_value(const int q, const Number f, Number &a, Number &b, Number &c)
    {
      a = q == 0 ? f : a + f;
      if (q != 1)
        {
          b = q == 0 ? t(q) * f : b + t(q) * f;
          c = q == 0 ? square(q) * f : c + square(q) * f;
        }
    }

    /// The same by slopes.
    TESSERA_DEVICE static void
    test_slope(const int q, const Number f, Number &b, Number &c)
    {
      b = q == 0 ? f : b + f;
      if (q != 1)
        c = q == 0 ? 4 * t(q) * f : c + 4 * t(q) * f;
    }
  };

  template <class F, class E, CellMap map_kind, bool uniform, class Number>
  struct QuadraticThreadOfCell
  {
    static_assert(F::is_flux && E::degree == 2, "27 nodes and points");
    static constexpr bool linear    = map_kind == CellMap::linear;
    static constexpr bool trilinear = map_kind == CellMap::trilinear;
    using Form                      = FormAtPoints<F, uniform, Number>;
    using Line                      = QuadraticLine<Number>;

    struct Memory
    {
      static constexpr int lanes = DeviceCell<Number>::lanes;
      static constexpr int n_map = trilinear ? 21 : linear ? n_symmetric(3) : 1;
      Number values[E::n][lanes], sums[E::n][lanes], map[n_map][lanes];
    };

    const DeviceCell<Number> &cell;
    const CellView<Number> &view;
    const CoefficientView<Number> &coefficient;
    const ReferenceElement<E, Number> &element;

    TESSERA_DEVICE void
    product(const Number *const x, Memory &memory, Number (&r)[1][E::n]) const
    {
      const int lane = cell.lane;
      TESSERA_UNROLL
      for (int i = 0; i < E::n; ++i)
        device::copy_async(&memory.values[i][lane],
                           x + cell.load(view.dofs, E::n, i));
      Form form(cell, coefficient);
      make_map(memory, form);
      device::wait_for_copies();
      {
        Number u[E::n];
        TESSERA_UNROLL
        for (int i = 0; i < E::n; ++i)
          u[i] = memory.values[i][lane];
        on_lines(u, [](Number &a, Number &b, Number &c) {
          Line::to_polynomial(a, b, c);
        });
        TESSERA_UNROLL
        for (int i = 1; i < E::n; ++i)
          memory.values[i][lane] = u[i];
      }
      TESSERA_ROLLED
      for (int q2 = 0; q2 < 3; ++q2)
        work_plane(q2, memory, form);
      TESSERA_UNROLL
      for (int i = 0; i < E::n; ++i)
        r[0][i] = i == 0 ? Number(0) : memory.sums[i][lane];
      on_lines(
        r[0], [](Number &a, Number &b, Number &c) { Line::to_nodes(a, b, c); });
    }

  private:
    template <class Work>
    TESSERA_DEVICE static void
    on_lines(Number (&f)[E::n], const Work &work)
    {
      TESSERA_UNROLL
      for (int i = 0; i < 9; ++i)
        work(f[3 * i], f[3 * i + 1], f[3 * i + 2]);
      TESSERA_UNROLL
      for (int i = 0; i < 9; ++i)
        {
          const int at = i / 3 * 9 + i % 3;
          work(f[at], f[at + 3], f[at + 6]);
        }
      TESSERA_UNROLL
      for (int i = 0; i < 9; ++i)
        work(f[i], f[i + 9], f[i + 18]);
    }

    /// Names for the coefficients of the map, x = ... + x_0 t0 + x_01 t0 t1:
    /// each has three coordinates.
    enum MapEntry
    {
      x_0   = 0,
      x_01  = 3,
      x_1   = 6,
      x_2   = 9,
      x_02  = 12,
      x_12  = 15,
      x_012 = 18
    };

    TESSERA_DEVICE void
    make_map(Memory &memory, Form &form) const
    {
      const int lane = cell.lane;
      if constexpr (linear)
        {
          Number j[3][3], metric[n_symmetric(3)];
          linear_jacobian(cell, view, element, j);
          F::linearize(j, Number(1), form.fields, metric);
          TESSERA_UNROLL
          for (int e = 0; e < n_symmetric(3); ++e)
            memory.map[e][lane] = metric[e];
        }
      if constexpr (trilinear)
        {
          Number x[8][3];
          cell.vertices(view, x);
          TESSERA_UNROLL
          for (int d = 0; d < 3; ++d)
            {
              // Differences come first, since coordinates are much larger.
              Number along_0[4], along_1[4], along_2[4];
              TESSERA_UNROLL
              for (int i = 0; i < 4; ++i)
                {
                  const int j = i + i / 2 * 2;
                  along_0[i]  = x[2 * i + 1][d] - x[2 * i][d];
                  along_1[i]  = x[j + 2][d] - x[j][d];
                  along_2[i]  = x[i + 4][d] - x[i][d];
                }
              Number sum_0[2], bend[2], sum_1[2];
              TESSERA_UNROLL
              for (int k = 0; k < 2; ++k)
                {
                  sum_0[k] = along_0[2 * k + 1] + along_0[2 * k];
                  bend[k]  = along_0[2 * k + 1] - along_0[2 * k];
                  sum_1[k] = along_1[2 * k + 1] + along_1[2 * k];
                }
              const Number quarter = Number(0.25), half = Number(0.5);
              memory.map[x_0 + d][lane] = quarter * (sum_0[1] + sum_0[0]);
              memory.map[x_1 + d][lane] = quarter * (sum_1[1] + sum_1[0]);
              memory.map[x_2 + d][lane] =
                quarter * (along_2[3] + along_2[2] + (along_2[1] + along_2[0]));
              memory.map[x_01 + d][lane]  = half * (bend[1] + bend[0]);
              memory.map[x_02 + d][lane]  = half * (sum_0[1] - sum_0[0]);
              memory.map[x_12 + d][lane]  = half * (sum_1[1] - sum_1[0]);
              memory.map[x_012 + d][lane] = bend[1] - bend[0];
            }
        }
    }

    /// The gradients on a plane of points, their tests, and the sums of these.
    TESSERA_DEVICE void
    work_plane(const int q2, Memory &memory, Form &form) const
    {
      const int lane = cell.lane;
      const Number t = Line::t(q2), square = Line::square(q2);
      Number plane_weight = Line::weight(q2);
      if constexpr (Form::scales && uniform)
        plane_weight *= form.number(0);
      // u and its slope in direction 2 on the plane, by a + 3 b
      Number u[9], slope[9], tested[9], slope_tested[9];
      TESSERA_UNROLL
      for (int i = 0; i < 9; ++i)
        {
          const Number b = memory.values[9 + i][lane],
                       c = memory.values[18 + i][lane];
          if (i > 0)
            u[i] = memory.values[i][lane] + t * b + square * c;
          slope[i] = b + 4 * t * c;
        }
      Number x_0_plane[3], x_1_plane[3], x_01_plane[3], metric[n_symmetric(3)];
      if constexpr (trilinear)
        {
          TESSERA_UNROLL
          for (int d = 0; d < 3; ++d)
            {
              const Number bend = memory.map[x_012 + d][lane];
              x_0_plane[d] =
                memory.map[x_0 + d][lane] + t * memory.map[x_02 + d][lane];
              x_1_plane[d] =
                memory.map[x_1 + d][lane] + t * memory.map[x_12 + d][lane];
              x_01_plane[d] = memory.map[x_01 + d][lane] + t * bend;
            }
        }
      if constexpr (linear)
        {
          TESSERA_UNROLL
          for (int e = 0; e < n_symmetric(3); ++e)
            metric[e] = plane_weight * memory.map[e][lane];
        }
      TESSERA_UNROLL
      for (int q1 = 0; q1 < 3; ++q1)
        {
          device::warp_barrier();
          const Number along_1 = Line::value(q1, u[1], u[4], u[7]),
                       along_2 = Line::value(q1, u[2], u[5], u[8]);
          Number g1[3], g2[3], tested_1, tested_2, f1[3], f2[3];
          TESSERA_UNROLL
          for (int a = 0; a < 3; ++a)
            {
              g1[a] = Line::slope(q1, u[3 + a], u[6 + a]);
              g2[a] = Line::value(q1, slope[a], slope[3 + a], slope[6 + a]);
            }
          Number j_0[3], j_2[3], j_2_slope[3];
          if constexpr (trilinear)
            {
              TESSERA_UNROLL
              for (int d = 0; d < 3; ++d)
                {
                  j_0[d]       = Line::linear(q1, x_0_plane[d], x_01_plane[d]);
                  j_2[d]       = Line::linear(q1, memory.map[x_2 + d][lane],
                                              memory.map[x_12 + d][lane]);
                  j_2_slope[d] = Line::linear(q1, memory.map[x_02 + d][lane],
                                              memory.map[x_012 + d][lane]);
                }
            }
          const Number line_weight =
            linear ? Line::weight(q1) : plane_weight * Line::weight(q1);
          TESSERA_UNROLL
          for (int q0 = 0; q0 < 3; ++q0)
            {
              const int q = (q2 * 3 + q1) * 3 + q0;
              PointValues<1, 3, Number> in, out;
              in.gradient[0][0] = Line::slope(q0, along_1, along_2);
              in.gradient[0][1] = Line::value(q0, g1[0], g1[1], g1[2]);
              in.gradient[0][2] = Line::value(q0, g2[0], g2[1], g2[2]);
              Number weight     = line_weight * Line::weight(q0);
              if constexpr (Form::scales && !uniform)
                weight *= form.number(q);
              if constexpr (linear)
                {
                  apply_symmetric(metric, in.gradient[0], out.gradient[0]);
                  TESSERA_UNROLL
                  for (int d = 0; d < 3; ++d)
                    out.gradient[0][d] *= weight;
                }
              else
                {
                  Number j[3][3];
                  if constexpr (trilinear)
                    {
                      TESSERA_UNROLL
                      for (int d = 0; d < 3; ++d)
                        {
                          j[d][0] = j_0[d];
                          j[d][1] =
                            Line::linear(q0, x_1_plane[d], x_01_plane[d]);
                          j[d][2] = Line::linear(q0, j_2[d], j_2_slope[d]);
                        }
                    }
                  else
                    stored_jacobian(cell, view, element, q, j);
                  form(q, j, weight, in, out);
                }
              Line::test_slope(q0, out.gradient[0][0], tested_1, tested_2);
              Line::test_value(q0, out.gradient[0][1], f1[0], f1[1], f1[2]);
              Line::test_value(q0, out.gradient[0][2], f2[0], f2[1], f2[2]);
            }
          Line::test_value(q1, tested_1, tested[1], tested[4], tested[7]);
          Line::test_value(q1, tested_2, tested[2], tested[5], tested[8]);
          Line::test_slope(q1, f1[0], tested[3], tested[6]);
          TESSERA_UNROLL
          for (int a = 1; a < 3; ++a)
            {
              tested[3 + a] += f1[a];
              if (q1 != 1)
                tested[6 + a] += 4 * Line::t(q1) * f1[a];
            }
          TESSERA_UNROLL
          for (int a = 0; a < 3; ++a)
            Line::test_value(q1, f2[a], slope_tested[a], slope_tested[3 + a],
                             slope_tested[6 + a]);
        }
      tested[0] = Number(0);
      TESSERA_UNROLL
      for (int i = 0; i < 9; ++i)
        {
          const Number add[3] = {tested[i], t * tested[i] + slope_tested[i],
                                 square * tested[i] + 4 * t * slope_tested[i]};
          TESSERA_UNROLL
          for (int c = 0; c < 3; ++c)
            {
              Number &to = memory.sums[9 * c + i][lane];
              to         = q2 == 0 ? add[c] : to + add[c];
            }
        }
    }
  };
} // namespace tessera

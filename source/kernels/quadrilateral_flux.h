#pragma once

#include <tessera/forms/flux_form.h>

#include <type_traits>

// The flux in reference coordinates at the points of a quadrilateral, line by
// line: `line(element, q1)` gives what is the same on line q1 of points, and
// that object's `(element, q0, g, f)` sets f = w det J J^-1 K J^-T g.
namespace tessera
{
  /// Computes the flux from the Jacobian at every point.
  template <class F, class Geometry, class CoefficientAt>
  struct PointwiseFlux
  {
    const Geometry &geometry;
    const CoefficientAt &coefficient;

    struct Line
    {
      const PointwiseFlux &flux;
      int q1;

      template <class Tables, class T>
      TESSERA_HOST_DEVICE void
      operator()(const Tables &element, const int q0, const T (&g)[2],
                 T (&f)[2]) const
      {
        T j[2][2];
        Fields<F, T> fields;
        PointValues<1, 2, T> in, out;
        flux.geometry.jacobian(element, q0, q1, j);
        flux.coefficient(q1 * Tables::n + q0, fields.coefficient);
        in.gradient[0][0] = g[0];
        in.gradient[0][1] = g[1];
        F::apply_once(j, element.weights[q0] * element.weights[q1], fields, in,
                      out);
        f[0] = out.gradient[0][0];
        f[1] = out.gradient[0][1];
      }
    };

    template <class Tables>
    TESSERA_HOST_DEVICE Line
    line(const Tables &, const int q1) const
    {
      return {*this, q1};
    }
  };

  /// The flux for one coefficient K in the cell and a bilinear map. Columns of
  /// J are a = b + d xi_1 and c + d xi_0, so that det J is linear in either
  /// direction and the entries of the metric det J^2 J^-1 K J^-T, products of
  /// them turned by a right angle, are polynomials of second order. Their
  /// coefficients are found once a cell, which takes 10 operations a point
  /// beside the quotient instead of 18. Rounding errors equal the ones of
  /// Jacobians at every point, up to three times as large where an edge of the
  /// cell nearly vanishes.
  template <class F, class T>
  struct BilinearFlux
  {
    T bb, bc, bd, cc, cd, dd; ///< <u, v> = u' . K v', turned
    T b_cross_c, b_cross_d, d_cross_c;

    TESSERA_HOST_DEVICE
    BilinearFlux(const BilinearGeometry<T> &map,
                 const T (&k)[F::n_coefficients])
    {
      static_assert(F::symmetric, "half of the metric is computed");
      const T b[2] = {map.b[1], -map.b[0]}, c[2] = {map.c[1], -map.c[0]},
              d[2]   = {map.d[1], -map.d[0]};
      const auto dot = [](const T(&u)[2], const T(&v)[2]) {
        return u[0] * v[0] + u[1] * v[1];
      };
      const auto cross = [](const T(&u)[2], const T(&v)[2]) {
        return u[0] * v[1] - u[1] * v[0];
      };
      T of_b[2], of_c[2], of_d[2];
      F::flux(k, b, of_b);
      F::flux(k, c, of_c);
      F::flux(k, d, of_d);
      bb        = dot(b, of_b);
      bc        = dot(c, of_b);
      bd        = dot(d, of_b);
      cc        = dot(c, of_c);
      cd        = dot(d, of_c);
      dd        = dot(d, of_d);
      b_cross_c = cross(b, c);
      b_cross_d = cross(b, d);
      d_cross_c = cross(d, c);
    }

    struct Line
    {
      T metric_11, metric_01, metric_01_slope;
      T metric_00, metric_00_slope, metric_00_square;
      T det, det_slope, weight;

      template <class Tables>
      TESSERA_HOST_DEVICE void
      operator()(const Tables &element, const int q0, const T (&g)[2],
                 T (&f)[2]) const
      {
        weighted(element, q0, T(element.weights[q0] * weight), g, f);
      }

      /// Does the same for a weight that the caller gives.
      template <class Tables>
      TESSERA_HOST_DEVICE void
      weighted(const Tables &element, const int q0, const T weight_of_point,
               const T (&g)[2], T (&f)[2]) const
      {
        const auto x  = element.points[q0];
        const T scale = quotient(weight_of_point, det + x * det_slope);
        const T m00 = metric_00 + x * (metric_00_slope + x * metric_00_square);
        const T m01 = metric_01 + x * metric_01_slope;
        f[0]        = scale * (m00 * g[0] - m01 * g[1]);
        f[1]        = scale * (metric_11 * g[1] - m01 * g[0]);
      }
    };

    template <class Tables>
    TESSERA_HOST_DEVICE Line
    line(const Tables &element, const int q1) const
    {
      const auto y = element.points[q1];
      Line line;
      line.metric_01        = bc + y * cd;
      line.metric_01_slope  = bd + y * dd;
      line.metric_11        = bb + y * (bd + line.metric_01_slope);
      line.metric_00        = cc;
      line.metric_00_slope  = cd + cd;
      line.metric_00_square = dd;
      line.det              = b_cross_c + y * d_cross_c;
      line.det_slope        = b_cross_d;
      line.weight           = element.weights[q1];
      return line;
    }
  };

  /// The flux for a number at every point and a bilinear map. The metric
  /// belongs to the number 1, and the number multiplies the weight. A line
  /// loads its numbers before it uses the first.
  template <class F, class T, class CoefficientAt>
  struct ScaledFlux
  {
    BilinearFlux<F, T> unit;
    const CoefficientAt &coefficient;

    template <int n>
    struct Line
    {
      typename BilinearFlux<F, T>::Line unit;
      T k[n];

      template <class Tables>
      TESSERA_HOST_DEVICE void
      operator()(const Tables &element, const int q0, const T (&g)[2],
                 T (&f)[2]) const
      {
        unit.weighted(element, q0, element.weights[q0] * unit.weight * k[q0], g,
                      f);
      }
    };

    template <class Tables>
    TESSERA_HOST_DEVICE Line<Tables::n>
    line(const Tables &element, const int q1) const
    {
      Line<Tables::n> line;
      TESSERA_UNROLL
      for (int q0 = 0; q0 < Tables::n; ++q0)
        {
          T k[1];
          coefficient(q1 * Tables::n + q0, k);
          line.k[q0] = k[0];
        }
      line.unit = unit.line(element, q1);
      return line;
    }
  };

  /// Returns the cheapest of these fluxes. `bilinear` says that the map is
  /// bilinear, and `uniform` that the coefficient is the one of point 0
  /// everywhere in the cell.
  template <class F, bool bilinear, bool uniform, class Geometry,
            class CoefficientAt>
  TESSERA_HOST_DEVICE auto
  quadrilateral_flux(const Geometry &geometry, const CoefficientAt &coefficient)
  {
    if constexpr (bilinear && (uniform || F::scales_gradient))
      {
        using T = std::decay_t<decltype(geometry.b[0])>;
        T k[F::n_coefficients];
        if constexpr (uniform)
          {
            coefficient(0, k);
            return BilinearFlux<F, T>(geometry, k);
          }
        else
          {
            k[0] = T(1.);
            return ScaledFlux<F, T, CoefficientAt>{
              BilinearFlux<F, T>(geometry, k), coefficient};
          }
      }
    else
      return PointwiseFlux<F, Geometry, CoefficientAt>{geometry, coefficient};
  }
} // namespace tessera

#pragma once

#include "metric.cuh"

// Strategies compute the matrix of a cell,
//   K_ij = sum_q grad phi_i(q) . G(q) grad phi_j(q),  G = w det J J^-1 K J^-T,
// and hand it row by row to a writer:
//   begin_row(i), then put<W>(i, j0, values[W], first) for j0 = 0, W, 2 W, ...
// where `first` (true, if it is not given) tells the first share of an entry.
// On the device a put is collective over the block: control flow is the same
// for all threads, no row is skipped. Here one thread (or one lane) has a whole
// cell; hexahedra on the device are in hexahedron_strategies.cuh.
namespace tessera
{
  /// Row i from f = G grad phi_i, which `flux(q0, q1, f)` gives. W = p + 1: the
  /// nodes j with the same j1. The sum over q is factorised:
  ///   c[q0] = sum_q1 phi_j1(q1) f_0(q0, q1),  d[q0] = sum_q1 phi_j1'(q1) f_1,
  ///   K_ij = sum_q0 phi_j0'(q0) c[q0] + phi_j0(q0) d[q0].
  template <int n, int lines, class E, class T, class Number, class Flux,
            class Writer>
  TESSERA_HOST_DEVICE void
  put_quadrilateral_row(const ReferenceElement<E, Number> &element, const int i,
                        const Flux &flux, Writer &writer)
  {
    TESSERA_ROLLED
    for (int j1 = Writer::upper ? i / n : 0; j1 < n; ++j1)
      {
        T c[n], d[n], values[n];
        TESSERA_UNROLL
        for (int q0 = 0; q0 < n; ++q0)
          c[q0] = d[q0] = T(Number(0));
        TESSERA_UNROLL_BY(lines)
        for (int q1 = 0; q1 < n; ++q1)
          TESSERA_UNROLL
        for (int q0 = 0; q0 < n; ++q0)
          {
            T f[2];
            flux(q0, q1, f);
            c[q0] += element.values[j1][q1] * f[0];
            d[q0] += element.gradients[j1][q1] * f[1];
          }
        TESSERA_UNROLL
        for (int j0 = 0; j0 < n; ++j0)
          {
            values[j0] = T(Number(0));
            TESSERA_UNROLL
            for (int q0 = 0; q0 < n; ++q0)
              values[j0] += element.gradients[j0][q0] * c[q0] +
                            element.values[j0][q0] * d[q0];
          }
        writer.template put<n>(i, j1 * n, values);
      }
  }

  template <int n, class E, bool keep, class T, class Number, class MetricAt,
            class Writer>
  TESSERA_HOST_DEVICE void
  emit_quadrilateral(const ReferenceElement<E, Number> &element,
                     const MetricAt &metric, Writer &writer)
  {
    TESSERA_ROLLED
    for (int i = 0; i < n * n; ++i)
      {
        int i0 = i % n, i1 = i / n, zero = 0;
        writer.begin_row(i);
        put_quadrilateral_row<n, keep ? n : 1, E, T>(
          element, i,
          [&](const int q0, const int q1, T(&f)[2]) {
            if (q0 == 0)
              {
                forget(i0);
                forget(i1);
                forget(zero);
              }
            const Number phi[2] = {
              element.gradients[i0][q0] * element.values[i1][q1],
              element.values[i0][q0] * element.gradients[i1][q1]};
            T g[3];
            metric.at(q1 * n + q0, zero, g);
            apply_metric(g, phi, f);
          },
          writer);
      }
  }

  /// Row i from the flux of phi_i at all points: the sum over q2 for each j2,
  /// over q1 for each j1, over q0 for each j0. W = p + 1.
  template <int n, class E, class T, class Number, class Writer>
  TESSERA_HOST_DEVICE void
  put_hexahedron_row(const ReferenceElement<E, Number> &element, const int i,
                     const T (&flux)[E::n][3], Writer &writer)
  {
    constexpr int slab = n * n;
    for (int j2 = Writer::upper ? i / slab : 0; j2 < n; ++j2)
      {
        T plane[slab][3];
        for (int q = 0; q < slab; ++q)
          {
            plane[q][0] = element.values[j2][0] * flux[q][0];
            plane[q][1] = element.values[j2][0] * flux[q][1];
            plane[q][2] = element.gradients[j2][0] * flux[q][2];
            for (int q2 = 1; q2 < n; ++q2)
              {
                const T(&f)[3] = flux[q2 * slab + q];
                plane[q][0] += element.values[j2][q2] * f[0];
                plane[q][1] += element.values[j2][q2] * f[1];
                plane[q][2] += element.gradients[j2][q2] * f[2];
              }
          }
        for (int j1 = 0; j1 < n; ++j1)
          {
            T c[n], d[n], values[n];
            for (int q0 = 0; q0 < n; ++q0)
              {
                c[q0] = d[q0] = T(Number(0));
                for (int q1 = 0; q1 < n; ++q1)
                  {
                    const T(&f)[3] = plane[q1 * n + q0];
                    c[q0] += element.values[j1][q1] * f[0];
                    d[q0] += element.gradients[j1][q1] * f[1] +
                             element.values[j1][q1] * f[2];
                  }
              }
            for (int j0 = 0; j0 < n; ++j0)
              {
                values[j0] = T(Number(0));
                for (int q0 = 0; q0 < n; ++q0)
                  values[j0] += element.gradients[j0][q0] * c[q0] +
                                element.values[j0][q0] * d[q0];
              }
            writer.template put<n>(i, j2 * slab + j1 * n, values);
          }
      }
  }

  /// Row i from the flux of phi_i, which `flux(q, f)` gives. W = E::row_part.
  template <int points, class E, class T, class Number, class Flux,
            class Writer>
  TESSERA_HOST_DEVICE void
  put_simplex_row(const ReferenceElement<E, Number> &element, const int i,
                  const Flux &flux, Writer &writer)
  {
    constexpr int W = E::row_part, dim = E::dim;
    TESSERA_ROLLED
    for (int j0 = 0; j0 < E::n; j0 += W)
      {
        T values[W];
        TESSERA_UNROLL
        for (int k = 0; k < W; ++k)
          values[k] = T(Number(0));
        TESSERA_UNROLL_BY(points)
        for (int q = 0; q < E::n_points; ++q)
          {
            T f[dim];
            flux(q, f);
            TESSERA_UNROLL
            for (int k = 0; k < W; ++k)
              TESSERA_UNROLL
            for (int d = 0; d < dim; ++d)
              values[k] += element.gradients[j0 + k][q][d] * f[d];
          }
        writer.template put<W>(i, j0, values);
      }
  }

  template <class E, bool keep, class T, class Number, class MetricAt,
            class Writer>
  TESSERA_HOST_DEVICE void
  emit_simplex(const ReferenceElement<E, Number> &element,
               const MetricAt &metric, Writer &writer)
  {
    TESSERA_ROLLED
    for (int i = 0; i < E::n; ++i)
      {
        int row = i, zero = 0;
        writer.begin_row(i);
        put_simplex_row<keep ? E::n_points : 1, E, T>(
          element, i,
          [&](const int q, T(&f)[E::dim]) {
            forget(row);
            forget(zero);
            T g[n_symmetric(E::dim)];
            metric.at(q, zero, g);
            apply_metric(g, element.gradients[row][q], f);
          },
          writer);
      }
  }

  /// Row i alone: the metric is asked for once at every point, where the flux
  /// of phi_i is kept.
  template <class E, class T, class Number, class MetricAt, class Writer>
  TESSERA_HOST_DEVICE void
  emit_row(const ReferenceElement<E, Number> &element, const MetricAt &metric,
           const int i, Writer &writer)
  {
    constexpr bool hexahedron = E::cell_type == CellType::hexahedron;
    [[maybe_unused]] constexpr int points = hexahedron ? 1 : E::n_points;
    T flux[E::n_points][E::dim];
    TESSERA_UNROLL_BY(points)
    for (int q = 0; q < E::n_points; ++q)
      {
        Number phi[E::dim];
        reference_gradient(element, i, q, phi);
        T g[n_symmetric(E::dim)];
        metric.at(q, 0, g);
        apply_metric(g, phi, flux[q]);
      }
    const auto kept = [&flux](const int q, T(&f)[E::dim]) {
      TESSERA_UNROLL
      for (int d = 0; d < E::dim; ++d)
        f[d] = flux[q][d];
    };
    if constexpr (E::simplex)
      put_simplex_row<points, E, T>(element, i, kept, writer);
    else if constexpr (hexahedron)
      put_hexahedron_row<E::n1, E, T>(element, i, flux, writer);
    else
      put_quadrilateral_row<E::n1, E::n1, E, T>(
        element, i,
        [&](const int q0, const int q1, T(&f)[2]) { kept(q1 * E::n1 + q0, f); },
        writer);
  }

  /// W = E::row_part. The matrix of one point after the other: the metric is
  /// computed once a point and entries are added up where they are stored.
  template <class E, class T, class Number, class MetricAt, class Writer>
  TESSERA_HOST_DEVICE void
  emit_by_points(const ReferenceElement<E, Number> &element,
                 const MetricAt &metric, Writer &writer)
  {
    constexpr int W = E::row_part, dim = E::dim;
    TESSERA_ROLLED
    for (int q = 0; q < E::n_points; ++q)
      {
        T g[n_symmetric(dim)];
        metric.at(q, 0, g);
        TESSERA_ROLLED
        for (int i = 0; i < E::n; ++i)
          {
            Number phi[dim];
            T f[dim];
            reference_gradient(element, i, q, phi);
            apply_metric(g, phi, f);
            writer.begin_row(i);
            TESSERA_ROLLED
            for (int j0 = Writer::upper ? i / W * W : 0; j0 < E::n; j0 += W)
              {
                T values[W];
                TESSERA_UNROLL
                for (int k = 0; k < W; ++k)
                  {
                    reference_gradient(element, j0 + k, q, phi);
                    values[k] = phi[0] * f[0];
                    TESSERA_UNROLL
                    for (int d = 1; d < dim; ++d)
                      values[k] += phi[d] * f[d];
                  }
                writer.template put<W>(i, j0, values, q == 0);
              }
          }
      }
  }

  template <Strategy strategy, class Form, class E, int scratch_stride, class T,
            class Number, class CellGeometry, class CoefficientAt, class Writer>
  TESSERA_HOST_DEVICE void
  emit_cell_matrix(const ReferenceElement<E, Number> &element,
                   const CellGeometry &geometry,
                   const CoefficientAt &coefficient, Writer &writer,
                   T *scratch = nullptr)
  {
    const Metric<strategy, Form, E, scratch_stride, T, Number, CellGeometry,
                 CoefficientAt>
      metric(element, geometry, coefficient, scratch);
    constexpr bool keep = strategy == Strategy::local_reuse;
    if constexpr (strategy == Strategy::global_reuse)
      emit_by_points<E, T>(element, metric, writer);
    else if constexpr (E::simplex)
      emit_simplex<E, keep, T>(element, metric, writer);
    else if constexpr (E::dim == 2)
      emit_quadrilateral<E::n1, E, keep, T>(element, metric, writer);
    else
      for (int i = 0; i < E::n; ++i)
        {
          writer.begin_row(i);
          emit_row<E, T>(element, metric, i, writer);
        }
  }
} // namespace tessera

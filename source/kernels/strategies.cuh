#pragma once

#include "projections.cuh"

// Strategies compute the matrix of a cell,
//   K_ij = sum_q a_q(phi_j, phi_i),
// where a_q is what the form makes of two functions at point q, and hand it row
// by row to a writer:
//   begin_row(i), then put<W>(i, j0, values[W], first) for j0 = 0, W, 2 W, ...
// where `first` (true, if it is not given) tells the first share of an entry.
// The index of component c of node k is i = c n + k. On the device a put is
// collective over the block: control flow is the same for all threads, and no
// row is skipped. Here one thread (or one lane) has a whole cell; hexahedra on
// the device are in hexahedron_strategies.cuh.
namespace tessera
{
  template <class F, class T>
  using TestValues = PointValues<F::n_components, F::dim, T>;

  /// Puts row i of a quadrilateral. `row_at(q0, q1, f)` gives what the row's
  /// test function is at a point. W = p + 1: the nodes j with the same j1. The
  /// sum over q is factorised:
  ///   c[q0] = sum_q1 phi_j1(q1) f_0(q0, q1),
  ///   d[q0] = sum_q1 phi_j1'(q1) f_1 + phi_j1(q1) f,
  ///   K_ij = sum_q0 phi_j0'(q0) c[q0] + phi_j0(q0) d[q0],
  /// for the gradient (f_0, f_1) and the value f of every component.
  template <class F, int n, int lines, class E, class T, class Number,
            class RowAt, class Writer>
  TESSERA_HOST_DEVICE void
  put_quadrilateral_row(const ReferenceElement<E, Number> &element, const int i,
                        const RowAt &row_at, Writer &writer)
  {
    constexpr int n_components = F::n_components;
    TESSERA_ROLLED
    for (int j1 = Writer::upper && n_components == 1 ? i / n : 0; j1 < n; ++j1)
      {
        T c[n_components][n], d[n_components][n];
        TESSERA_UNROLL
        for (int b = 0; b < n_components; ++b)
          TESSERA_UNROLL
        for (int q0 = 0; q0 < n; ++q0)
          c[b][q0] = d[b][q0] = T(Number(0));
        TESSERA_UNROLL_BY(lines)
        for (int q1 = 0; q1 < n; ++q1)
          TESSERA_UNROLL
        for (int q0 = 0; q0 < n; ++q0)
          {
            TestValues<F, T> f;
            row_at(q0, q1, f);
            TESSERA_UNROLL
            for (int b = 0; b < n_components; ++b)
              {
                if constexpr (F::uses_gradients)
                  {
                    c[b][q0] += element.values[j1][q1] * f.gradient[b][0];
                    d[b][q0] += element.gradients[j1][q1] * f.gradient[b][1];
                  }
                if constexpr (F::uses_values)
                  d[b][q0] += element.values[j1][q1] * f.value[b];
              }
          }
        TESSERA_UNROLL
        for (int b = 0; b < n_components; ++b)
          {
            T values[n];
            TESSERA_UNROLL
            for (int j0 = 0; j0 < n; ++j0)
              {
                values[j0] = T(Number(0));
                TESSERA_UNROLL
                for (int q0 = 0; q0 < n; ++q0)
                  if constexpr (F::uses_gradients)
                    values[j0] += element.gradients[j0][q0] * c[b][q0] +
                                  element.values[j0][q0] * d[b][q0];
                  else
                    values[j0] += element.values[j0][q0] * d[b][q0];
              }
            writer.template put<n>(i, b * E::n + j1 * n, values);
          }
      }
  }

  template <class F, int n, class E, bool keep, class T, class Number,
            class PointsAt, class Writer>
  TESSERA_HOST_DEVICE void
  emit_quadrilateral(const ReferenceElement<E, Number> &element,
                     const PointsAt &points, Writer &writer)
  {
    TESSERA_ROLLED
    for (int i = 0; i < n * n * F::n_components; ++i)
      {
        const int component = F::n_components == 1 ? 0 : i / E::n;
        const int node      = F::n_components == 1 ? i : i % E::n;
        int i0 = node % n, i1 = node / n, zero = 0;
        const RowProjection<F, E, T, Number> projection(element, points, i);
        writer.begin_row(i);
        put_quadrilateral_row<F, n, keep ? n : 1, E, T>(
          element, i,
          [&](const int q0, const int q1, TestValues<F, T> &f) {
            if (q0 == 0)
              {
                forget(i0);
                forget(i1);
                forget(zero);
              }
            const Number gradient[2] = {
              element.gradients[i0][q0] * element.values[i1][q1],
              element.values[i0][q0] * element.gradients[i1][q1]};
            TestValues<F, Number> phi;
            set_component<F>(component,
                             element.values[i0][q0] * element.values[i1][q1],
                             gradient, phi);
            T point[F::n_point];
            points.at(q1 * n + q0, zero, point);
            apply_transposed<F>(point, phi, f);
            projection.add_to(q1 * n + q0, point, f);
          },
          writer);
      }
  }

  /// Puts row i of a hexahedron from its test function at all points: the sum
  /// over q2 for each j2, over q1 for each j1, over q0 for each j0. W = p + 1.
  template <class F, int n, class E, class T, class Number, class Writer>
  TESSERA_HOST_DEVICE void
  put_hexahedron_row(const ReferenceElement<E, Number> &element, const int i,
                     const TestValues<F, T> (&row)[E::n], const int b,
                     Writer &writer)
  {
    constexpr int slab = n * n;
    for (int j2 = Writer::upper && F::n_components == 1 ? i / slab : 0; j2 < n;
         ++j2)
      {
        // The components of the gradient, after the sum over q2. The value is
        // tested as component 2 is then: by values in directions 0 and 1.
        T plane[slab][3];
        for (int q = 0; q < slab; ++q)
          {
            TESSERA_UNROLL
            for (int d = 0; d < 3; ++d)
              plane[q][d] = T(Number(0));
            for (int q2 = 0; q2 < n; ++q2)
              {
                const TestValues<F, T> &f = row[q2 * slab + q];
                if constexpr (F::uses_gradients)
                  {
                    plane[q][0] += element.values[j2][q2] * f.gradient[b][0];
                    plane[q][1] += element.values[j2][q2] * f.gradient[b][1];
                    plane[q][2] += element.gradients[j2][q2] * f.gradient[b][2];
                  }
                if constexpr (F::uses_values)
                  plane[q][2] += element.values[j2][q2] * f.value[b];
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
                    if constexpr (F::uses_gradients)
                      {
                        c[q0] += element.values[j1][q1] * f[0];
                        d[q0] += element.gradients[j1][q1] * f[1] +
                                 element.values[j1][q1] * f[2];
                      }
                    else
                      d[q0] += element.values[j1][q1] * f[2];
                  }
              }
            for (int j0 = 0; j0 < n; ++j0)
              {
                values[j0] = T(Number(0));
                TESSERA_UNROLL
                for (int q0 = 0; q0 < n; ++q0)
                  if constexpr (F::uses_gradients)
                    values[j0] += element.gradients[j0][q0] * c[q0] +
                                  element.values[j0][q0] * d[q0];
                  else
                    values[j0] += element.values[j0][q0] * d[q0];
              }
            writer.template put<n>(i, b * E::n + j2 * slab + j1 * n, values);
          }
      }
  }

  /// Puts row i of a simplex, whose test function `row_at(q, f)` gives.
  /// W = E::row_part.
  template <class F, int points, class E, class T, class Number, class RowAt,
            class Writer>
  TESSERA_HOST_DEVICE void
  put_simplex_row(const ReferenceElement<E, Number> &element, const int i,
                  const RowAt &row_at, Writer &writer)
  {
    constexpr int W = E::row_part, dim = E::dim;
    TESSERA_UNROLL
    for (int b = 0; b < F::n_components; ++b)
      TESSERA_ROLLED
    for (int k0 = 0; k0 < E::n; k0 += W)
      {
        T values[W];
        TESSERA_UNROLL
        for (int k = 0; k < W; ++k)
          values[k] = T(Number(0));
        TESSERA_UNROLL_BY(points)
        for (int q = 0; q < E::n_points; ++q)
          {
            TestValues<F, T> f;
            row_at(q, f);
            TESSERA_UNROLL
            for (int k = 0; k < W; ++k)
              {
                if constexpr (F::uses_gradients)
                  {
                    TESSERA_UNROLL
                    for (int d = 0; d < dim; ++d)
                      values[k] +=
                        element.gradients[k0 + k][q][d] * f.gradient[b][d];
                  }
                if constexpr (F::uses_values)
                  values[k] += element.values[k0 + k][q] * f.value[b];
              }
          }
        writer.template put<W>(i, b * E::n + k0, values);
      }
  }

  template <class F, class E, bool keep, class T, class Number, class PointsAt,
            class Writer>
  TESSERA_HOST_DEVICE void
  emit_simplex(const ReferenceElement<E, Number> &element,
               const PointsAt &points, Writer &writer)
  {
    TESSERA_ROLLED
    for (int i = 0; i < E::n * F::n_components; ++i)
      {
        int row = i, zero = 0;
        const RowProjection<F, E, T, Number> projection(element, points, i);
        writer.begin_row(i);
        put_simplex_row<F, keep ? E::n_points : 1, E, T>(
          element, i,
          [&](const int q, TestValues<F, T> &f) {
            forget(row);
            forget(zero);
            T point[F::n_point];
            points.at(q, zero, point);
            TestValues<F, Number> phi;
            shape_function<F>(element, row, q, phi);
            apply_transposed<F>(point, phi, f);
            projection.add_to(q, point, f);
          },
          writer);
      }
  }

  /// Puts row i alone: the form is asked for once at every point, where the
  /// row's test function is kept.
  template <class F, class E, class T, class Number, class PointsAt,
            class Writer>
  TESSERA_HOST_DEVICE void
  emit_row(const ReferenceElement<E, Number> &element, const PointsAt &points,
           const int i, Writer &writer)
  {
    constexpr bool hexahedron = E::cell_type == CellType::hexahedron;
    [[maybe_unused]] constexpr int unroll = hexahedron ? 1 : E::n_points;
    const RowProjection<F, E, T, Number> projection(element, points, i);
    TestValues<F, T> row[E::n_points];
    TESSERA_UNROLL_BY(unroll)
    for (int q = 0; q < E::n_points; ++q)
      {
        TestValues<F, Number> phi;
        shape_function<F>(element, i, q, phi);
        T point[F::n_point];
        points.at(q, 0, point);
        apply_transposed<F>(point, phi, row[q]);
        projection.add_to(q, point, row[q]);
      }
    const auto kept = [&row](const int q, TestValues<F, T> &f) { f = row[q]; };
    if constexpr (E::simplex)
      put_simplex_row<F, unroll, E, T>(element, i, kept, writer);
    else if constexpr (hexahedron)
      for (int b = 0; b < F::n_components; ++b)
        put_hexahedron_row<F, E::n1, E, T>(element, i, row, b, writer);
    else
      put_quadrilateral_row<F, E::n1, E::n1, E, T>(
        element, i,
        [&](const int q0, const int q1, TestValues<F, T> &f) {
          kept(q1 * E::n1 + q0, f);
        },
        writer);
  }

  /// Puts the matrix of one point after the other: the form is asked for once a
  /// point, and entries are added up where they are stored. W = E::row_part.
  template <class F, class E, class T, class Number, class PointsAt,
            class Writer>
  TESSERA_HOST_DEVICE void
  emit_by_points(const ReferenceElement<E, Number> &element,
                 const PointsAt &points, Writer &writer)
  {
    constexpr int W = E::row_part, all = F::n_components * E::n;
    TESSERA_ROLLED
    for (int q = 0; q < E::n_points; ++q)
      {
        T point[F::n_point];
        points.at(q, 0, point);
        TESSERA_ROLLED
        for (int i = 0; i < all; ++i)
          {
            TestValues<F, Number> phi;
            TestValues<F, T> f;
            shape_function<F>(element, i, q, phi);
            apply_transposed<F>(point, phi, f);
            writer.begin_row(i);
            TESSERA_ROLLED
            for (int j0 = Writer::upper ? i / W * W : 0; j0 < all; j0 += W)
              {
                T values[W];
                TESSERA_UNROLL
                for (int k = 0; k < W; ++k)
                  {
                    shape_function<F>(element, j0 + k, q, phi);
                    values[k] = point_product<F>(
                      f, phi, F::n_components == 1 ? 0 : (j0 + k) / E::n);
                  }
                writer.template put<W>(i, j0, values, q == 0);
              }
          }
      }
  }

  /// Puts entries (i, i) alone: the form is asked for once a point, where it is
  /// multiplied by every function. W = 1.
  template <class F, class E, class T, class Number, class PointsAt,
            class Writer>
  TESSERA_HOST_DEVICE void
  emit_diagonal(const ReferenceElement<E, Number> &element,
                const PointsAt &points, Writer &writer)
  {
    constexpr int all                     = F::n_components * E::n;
    [[maybe_unused]] constexpr int unroll = E::dim == 2 || E::simplex ? all : 1;
    T diagonal[all];
    for (int i = 0; i < all; ++i)
      diagonal[i] = T(Number(0));
    TESSERA_ROLLED
    for (int q = 0; q < E::n_points; ++q)
      {
        T point[F::n_point];
        points.at(q, 0, point);
        TESSERA_UNROLL_BY(unroll)
        for (int i = 0; i < all; ++i)
          {
            TestValues<F, Number> phi;
            TestValues<F, T> f;
            shape_function<F>(element, i, q, phi);
            apply_transposed<F>(point, phi, f);
            diagonal[i] +=
              point_product<F>(f, phi, F::n_components == 1 ? 0 : i / E::n);
          }
      }
    TESSERA_UNROLL_BY(unroll)
    for (int i = 0; i < all; ++i)
      {
        writer.begin_row(i);
        writer.template put<1>(i, i, {diagonal[i]});
      }
  }

  template <Strategy strategy, class F, class E, int scratch_stride, class T,
            class Number, class CellGeometry, class FieldsAt, class Writer>
  TESSERA_HOST_DEVICE void
  emit_cell_matrix(const ReferenceElement<E, Number> &element,
                   const CellGeometry &geometry, const FieldsAt &fields_at,
                   Writer &writer, T *scratch = nullptr)
  {
    const Points<strategy, F, E, scratch_stride, T, Number, CellGeometry,
                 FieldsAt>
      points(element, geometry, fields_at, scratch);
    constexpr bool keep = strategy == Strategy::keeps_points;
    static_assert(!F::projects || keep || strategy == Strategy::repeats_points);
    if constexpr (strategy == Strategy::diagonal)
      emit_diagonal<F, E, T>(element, points, writer);
    else if constexpr (strategy == Strategy::by_points)
      emit_by_points<F, E, T>(element, points, writer);
    else if constexpr (E::simplex)
      emit_simplex<F, E, keep, T>(element, points, writer);
    else if constexpr (E::dim == 2)
      emit_quadrilateral<F, E::n1, E, keep, T>(element, points, writer);
    else
      for (int i = 0; i < F::n_components * E::n; ++i)
        {
          writer.begin_row(i);
          emit_row<F, E, T>(element, points, i, writer);
        }
  }
} // namespace tessera

#pragma once

#include <tessera/assembly/options.h>
#include <tessera/space/geometry.h>
#include <tessera/space/reference_element.h>

// Strategies compute the matrix of a cell,
//   K_ij = sum_q grad phi_i(q) . G(q) grad phi_j(q),  G = w det J J^-1 K J^-T,
// and hand it row by row to a writer:
//   begin_row(i), then put<W>(i, j0, values[W]) for j0 = 0, W, 2 W, ...
// Here W = p + 1: the nodes j with the same j1. On the device a put is
// collective over the block: control flow is the same for all threads, no row
// is skipped.
//
// Along a row the sum over q is factorised: with f = G grad phi_i,
//   c[q0] = sum_q1 phi_j1(q1) f_0(q0, q1),  d[q0] = sum_q1 phi_j1'(q1) f_1,
//   K_ij = sum_q0 phi_j0'(q0) c[q0] + phi_j0(q0) d[q0].
namespace tessera
{
  /// G at the quadrature points: computed once and kept (`local_reuse`), or
  /// where it is asked for (`redundant_compute`). With `scratch_stride` > 0
  /// the third component stands in `third[q scratch_stride]`, for degrees
  /// whose values do not fit the registers of a thread.
  template <Strategy strategy, class Form, int degree, int scratch_stride,
            class T, class Number, class CoefficientAt>
  struct Metric
  {
    static constexpr int n        = degree + 1;
    static constexpr bool keep    = strategy == Strategy::local_reuse;
    static constexpr bool scratch = keep && scratch_stride > 0;

    const ReferenceElement<degree, Number> &element;
    const BilinearGeometry<T> &geometry;
    const CoefficientAt &coefficient;
    T *third;
    T kept[keep ? n * n : 1][scratch ? 2 : 3];

    TESSERA_HOST_DEVICE
    Metric(const ReferenceElement<degree, Number> &element,
           const BilinearGeometry<T> &geometry,
           const CoefficientAt &coefficient, T *third)
      : element(element), geometry(geometry), coefficient(coefficient),
        third(third)
    {
      if constexpr (keep)
        {
          TESSERA_UNROLL
          for (int q = 0; q < n * n; ++q)
            {
              T g[3];
              compute(q % n, q / n, g);
              kept[q][0] = g[0];
              kept[q][1] = g[1];
              if constexpr (scratch)
                third[q * scratch_stride] = g[2];
              else
                kept[q][2] = g[2];
            }
        }
    }

    TESSERA_HOST_DEVICE void
    at(const int q0, const int q1, const int zero, T (&g)[3]) const
    {
      if constexpr (keep)
        {
          const int q = q1 * n + q0;
          g[0]        = kept[q][0];
          g[1]        = kept[q][1];
          if constexpr (scratch)
            g[2] = third[q * scratch_stride + zero];
          else
            g[2] = kept[q][2];
        }
      else
        compute(q0, q1, g);
    }

  private:
    TESSERA_HOST_DEVICE void
    compute(const int q0, const int q1, T (&g)[3]) const
    {
      T j[2][2], k[Form::n_coefficients];
      geometry.jacobian(element.points[q0], element.points[q1], j);
      coefficient(q1 * n + q0, k);
      metric<Form>(j, k, element.weights[q0] * element.weights[q1], g);
    }
  };

  template <Strategy strategy, class Form, int degree, int scratch_stride,
            class T, class Number, class CoefficientAt, class Writer>
  TESSERA_HOST_DEVICE void
  emit_cell_matrix(const ReferenceElement<degree, Number> &element,
                   const BilinearGeometry<T> &geometry,
                   const CoefficientAt &coefficient, Writer &writer,
                   T *scratch = nullptr)
  {
    constexpr int n = degree + 1;
    [[maybe_unused]] constexpr int rows =
      strategy == Strategy::local_reuse ? n : 1;
    const Metric<strategy, Form, degree, scratch_stride, T, Number,
                 CoefficientAt>
      metric(element, geometry, coefficient, scratch);

    TESSERA_ROLLED
    for (int i = 0; i < n * n; ++i)
      {
        int i0 = i % n, i1 = i / n, zero = 0;
        writer.begin_row(i);
        TESSERA_ROLLED
        for (int j1 = Writer::upper ? i / n : 0; j1 < n; ++j1)
          {
            T c[n], d[n], values[n];
            TESSERA_UNROLL
            for (int q0 = 0; q0 < n; ++q0)
              c[q0] = d[q0] = T(Number(0));
            TESSERA_UNROLL_BY(rows)
            for (int q1 = 0; q1 < n; ++q1)
              {
                forget(i0);
                forget(i1);
                forget(zero);
                TESSERA_UNROLL
                for (int q0 = 0; q0 < n; ++q0)
                  {
                    const Number g0 =
                      element.gradients[i0][q0] * element.values[i1][q1];
                    const Number g1 =
                      element.values[i0][q0] * element.gradients[i1][q1];
                    T g[3];
                    metric.at(q0, q1, zero, g);
                    c[q0] += element.values[j1][q1] * (g[0] * g0 + g[1] * g1);
                    d[q0] +=
                      element.gradients[j1][q1] * (g[1] * g0 + g[2] * g1);
                  }
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
  }
} // namespace tessera

#pragma once

#include <tessera/forms/form.h>

namespace tessera
{
  /// Computes f = K g for a symmetric tensor K at the beginning of k, stored as
  /// `symmetric_entry` says.
  template <int dim, int n_k, class T, class U>
  TESSERA_HOST_DEVICE void
  apply_symmetric(const T (&k)[n_k], const U (&g)[dim], T (&f)[dim])
  {
    static_assert(n_k >= n_symmetric(dim), "the tensor is not whole");
    TESSERA_UNROLL
    for (int a = 0; a < dim; ++a)
      {
        f[a] = k[symmetric_entry(dim, a, 0)] * g[0];
        TESSERA_UNROLL
        for (int b = 1; b < dim; ++b)
          f[a] += k[symmetric_entry(dim, a, b)] * g[b];
      }
  }

  /// The flux of a symmetric tensor at the beginning of a coefficient.
  struct TensorFlux
  {
    template <int dim, int n_k, class T>
    TESSERA_HOST_DEVICE static void
    flux(const T (&k)[n_k], const T (&gradient)[dim], T (&f)[dim])
    {
      apply_symmetric(k, gradient, f);
    }
  };

  /// The flux of a number.
  struct ScalarFlux
  {
    template <int dim, class T>
    TESSERA_HOST_DEVICE static void
    flux(const T (&k)[1], const T (&gradient)[dim], T (&f)[dim])
    {
      TESSERA_UNROLL
      for (int d = 0; d < dim; ++d)
        f[d] = k[0] * gradient[d];
    }
  };

  /// Computes the metric G = w det J J^-1 K J^-T for a quadrature weight w,
  /// where `F::flux` multiplies by the symmetric tensor K. The upper half of G
  /// is stored at the beginning of g as `symmetric_entry` says. The flux of a
  /// reference gradient is its product with G in reference coordinates.
  template <class F, int n_k, int n_g, int dim, class T, class Number>
  TESSERA_HOST_DEVICE void
  metric(const T (&j)[dim][dim], const T (&k)[n_k], const Number weight,
         T (&g)[n_g])
  {
    static_assert(n_g >= n_symmetric(dim), "no place for the metric");
    T c[dim][dim];
    cofactors(j, c);
    const T scale = quotient(T(weight), determinant(j, c));
    TESSERA_UNROLL
    for (int b = 0; b < dim; ++b)
      {
        T column[dim], flux[dim];
        TESSERA_UNROLL
        for (int a = 0; a < dim; ++a)
          column[a] = c[a][b];
        F::flux(k, column, flux);
        TESSERA_UNROLL
        for (int d = 0; d <= b; ++d)
          {
            T sum = c[0][d] * flux[0];
            TESSERA_UNROLL
            for (int a = 1; a < dim; ++a)
              sum += c[a][d] * flux[a];
            g[symmetric_entry(dim, d, b)] = scale * sum;
          }
      }
  }

  /// The base of forms that are a symmetric map from the gradient of u to the
  /// flux that is tested with the gradient of v,
  ///   a(u, v) = int flux(k, grad u) . grad v,
  /// which the form defines:
  ///
  ///     template <class T>
  ///     static void flux(const T (&k)[n_coefficients],
  ///                      const T (&gradient)[dim], T (&f)[dim]);
  ///
  /// A point keeps the metric. Quadrilaterals have special kernels for such
  /// forms (kernels/quadrilateral_flux.h, kernels/matrix_free_stages.cuh).
  template <class F, int dim>
  struct FluxForm : PointForm<F, dim>
  {
    static constexpr bool is_flux = true;
    static constexpr int n_point  = n_symmetric(dim);
    /// True for forms of a tensor K whose `complete` keeps a number k that is
    /// not uniform. Kernels then read one number and use k times the unit
    /// tensor.
    static constexpr bool takes_number = false;
    /// True where flux(k, g) = k[0] g, so that k can be a factor of the weight.
    static constexpr bool scales_gradient = false;

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<F, T> &fields, T (&point)[n_point])
    {
      metric<F>(j, fields.coefficient, weight, point);
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<1, dim, U> &trial,
          PointValues<1, dim, T> &test)
    {
      apply_symmetric(point, trial.gradient[0], test.gradient[0]);
    }

    /// Computes w det J J^-1 flux(J^-T g) without the metric, in half as many
    /// operations.
    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    apply_once(const T (&j)[dim][dim], const Number weight,
               const Fields<F, T> &fields, const PointValues<1, dim, T> &trial,
               PointValues<1, dim, T> &test)
    {
      const T(&g)[dim] = trial.gradient[0];
      T(&f)[dim]       = test.gradient[0];
      T c[dim][dim], gradient[dim], flux[dim];
      cofactors(j, c);
      const T scale = quotient(T(weight), determinant(j, c));
      TESSERA_UNROLL
      for (int a = 0; a < dim; ++a)
        {
          gradient[a] = c[a][0] * g[0];
          TESSERA_UNROLL
          for (int b = 1; b < dim; ++b)
            gradient[a] += c[a][b] * g[b];
        }
      F::flux(fields.coefficient, gradient, flux);
      TESSERA_UNROLL
      for (int b = 0; b < dim; ++b)
        {
          f[b] = c[0][b] * flux[0];
          TESSERA_UNROLL
          for (int a = 1; a < dim; ++a)
            f[b] += c[a][b] * flux[a];
          f[b] = scale * f[b];
        }
    }
  };
} // namespace tessera

#pragma once

#include <tessera/forms/flux_form.h>

namespace tessera
{
  /// a(u, v) = int (K grad u) . grad v + (b . grad u) v with a symmetric tensor
  /// K and a velocity b: the weak form of -div(K grad u) + b . grad u, which is
  /// not symmetric. The coefficient is (the entries of K as `symmetric_entry`
  /// says, b). Nothing is stabilised: the mesh has to resolve |b| h / |K|.
  template <int dim>
  struct AdvectionDiffusion : PointForm<AdvectionDiffusion<dim>, dim>
  {
    static constexpr int n_k            = n_symmetric(dim);
    static constexpr bool symmetric     = false;
    static constexpr bool uses_values   = true;
    static constexpr int n_coefficients = n_k + dim;
    static constexpr int n_point        = n_k + dim; ///< metric, w det J J^-1 b

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<AdvectionDiffusion, T> &fields, T (&point)[n_point])
    {
      T c[dim][dim];
      metric<TensorFlux>(j, fields.coefficient, weight, point);
      cofactors(j, c);
      TESSERA_UNROLL
      for (int d = 0; d < dim; ++d)
        {
          T sum = c[0][d] * fields.coefficient[n_k];
          TESSERA_UNROLL
          for (int a = 1; a < dim; ++a)
            sum += c[a][d] * fields.coefficient[n_k + a];
          point[n_k + d] = weight * sum;
        }
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<1, dim, U> &trial,
          PointValues<1, dim, T> &test)
    {
      apply_symmetric(point, trial.gradient[0], test.gradient[0]);
      T sum = point[n_k] * trial.gradient[0][0];
      TESSERA_UNROLL
      for (int d = 1; d < dim; ++d)
        sum += point[n_k + d] * trial.gradient[0][d];
      test.value[0] = sum;
    }
  };

  /// -div(K grad u) + b . grad u; see AdvectionDiffusion for the coefficient.
  Form
  advection_diffusion(const Coefficient &k_and_b);
} // namespace tessera

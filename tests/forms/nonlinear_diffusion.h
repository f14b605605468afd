#pragma once

#include <tessera/forms/flux_form.h>

namespace tessera
{
  /// The tangent of r(u, v) = int (1 + c u^2) grad u . grad v at the solution
  /// u,
  ///   a(w, v) = int ((1 + c u^2) grad w + 2 c u w grad u) . grad v,
  /// which is not symmetric.
  template <int dim>
  struct NonlinearDiffusion : PointForm<NonlinearDiffusion<dim>, dim>
  {
    static constexpr int n_metric        = n_symmetric(dim);
    static constexpr bool symmetric      = false;
    static constexpr bool uses_values    = true;
    static constexpr bool reads_solution = true;
    static constexpr int n_coefficients  = 1;
    /// The metric of 1 + c u^2, and 2 c u times the flux of u without it.
    static constexpr int n_point = n_metric + dim;

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<NonlinearDiffusion, T> &fields, T (&point)[n_point])
    {
      const T one[1] = {T(1.)};
      const T u      = fields.solution.value[0];
      const T cu     = fields.coefficient[0] * u;
      T g[n_metric], f[dim];
      metric<ScalarFlux>(j, one, weight, g);
      apply_symmetric(g, fields.solution.gradient[0], f);
      TESSERA_UNROLL
      for (int i = 0; i < n_metric; ++i)
        point[i] = (one[0] + cu * u) * g[i];
      TESSERA_UNROLL
      for (int d = 0; d < dim; ++d)
        point[n_metric + d] = (cu + cu) * f[d];
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<1, dim, U> &trial,
          PointValues<1, dim, T> &test)
    {
      apply_symmetric(point, trial.gradient[0], test.gradient[0]);
      TESSERA_UNROLL
      for (int d = 0; d < dim; ++d)
        test.gradient[0][d] += point[n_metric + d] * trial.value[0];
      test.value[0] = T(0.);
    }

    template <class T>
    TESSERA_HOST_DEVICE static void
    residual(const T (&point)[n_point],
             const Fields<NonlinearDiffusion, T> &fields,
             PointValues<1, dim, T> &test)
    {
      apply_symmetric(point, fields.solution.gradient[0], test.gradient[0]);
      test.value[0] = T(0.);
    }
  };

  Form
  nonlinear_diffusion(const Coefficient &c = Coefficient::scalar(1.));
} // namespace tessera

#pragma once

#include <tessera/forms/flux_form.h>

namespace tessera
{
  /// r(u, v) = int (1 + s) grad u . grad v with a state s at every point, which
  /// an update moves towards |grad u|^2 by the fraction c:
  ///   s <- s + c (|grad u|^2 - s).
  template <int dim>
  struct RelaxingDiffusion : PointForm<RelaxingDiffusion<dim>, dim>
  {
    static constexpr int n_point         = n_symmetric(dim);
    static constexpr bool reads_solution = true;
    static constexpr int n_coefficients  = 1;
    static constexpr int n_state         = 1;

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<RelaxingDiffusion, T> &fields, T (&point)[n_point])
    {
      const T k[1] = {T(1.) + fields.state[0]};
      metric<ScalarFlux>(j, k, weight, point);
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<1, dim, U> &trial,
          PointValues<1, dim, T> &test)
    {
      apply_symmetric(point, trial.gradient[0], test.gradient[0]);
    }

    template <class T>
    TESSERA_HOST_DEVICE static void
    residual(const T (&point)[n_point],
             const Fields<RelaxingDiffusion, T> &fields,
             PointValues<1, dim, T> &test)
    {
      apply_symmetric(point, fields.solution.gradient[0], test.gradient[0]);
    }

    template <class T>
    TESSERA_HOST_DEVICE static void
    update(const T (&j)[dim][dim], const Fields<RelaxingDiffusion, T> &fields,
           T (&state)[n_state])
    {
      // J^-T g = cofactors g / det J.
      T c[dim][dim];
      cofactors(j, c);
      const T scale = quotient(T(1.), determinant(j, c));
      T square      = T(0.);
      TESSERA_UNROLL
      for (int a = 0; a < dim; ++a)
        {
          T gradient = T(0.);
          TESSERA_UNROLL
          for (int d = 0; d < dim; ++d)
            gradient += c[a][d] * fields.solution.gradient[0][d];
          square += scale * gradient * (scale * gradient);
        }
      state[0] =
        fields.state[0] + fields.coefficient[0] * (square - fields.state[0]);
    }
  };

  Form
  relaxing_diffusion(const Coefficient &c);
} // namespace tessera

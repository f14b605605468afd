#pragma once

#include <tessera/forms/flux_form.h>

namespace tessera
{
  /// a(u, v) = int (K grad u) . grad v + c u v with a symmetric tensor K and a
  /// scalar c: the weak form of -div(K grad u) + c u. The coefficient is (the
  /// entries of K as `symmetric_entry` says, c).
  template <int dim>
  struct ReactionDiffusion : PointForm<ReactionDiffusion<dim>, dim>
  {
    static constexpr int n_k            = n_symmetric(dim);
    static constexpr bool uses_values   = true;
    static constexpr int n_coefficients = n_k + 1;
    static constexpr int n_point        = n_k + 1; ///< metric, w det J c

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<ReactionDiffusion, T> &fields, T (&point)[n_point])
    {
      metric<TensorFlux>(j, fields.coefficient, weight, point);
      point[n_k] = weight * determinant(j) * fields.coefficient[n_k];
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<1, dim, U> &trial,
          PointValues<1, dim, T> &test)
    {
      apply_symmetric(point, trial.gradient[0], test.gradient[0]);
      test.value[0] = point[n_k] * trial.value[0];
    }
  };

  /// -div(K grad u) + c u; see ReactionDiffusion for the coefficient.
  Form
  reaction_diffusion(const Coefficient &k_and_c);
} // namespace tessera

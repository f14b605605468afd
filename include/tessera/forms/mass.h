#pragma once

#include <tessera/forms/form.h>

namespace tessera
{
  /// a(u, v) = int c u . v with a scalar c, for functions with `components`
  /// components.
  template <class F, int dim, int components>
  struct MassForm : PointForm<F, dim, components>
  {
    static constexpr bool uses_values    = true;
    static constexpr bool uses_gradients = false;
    static constexpr int n_coefficients  = 1;
    static constexpr int n_point         = 1; ///< w det J c

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<F, T> &fields, T (&point)[n_point])
    {
      point[0] = weight * determinant(j) * fields.coefficient[0];
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point],
          const PointValues<components, dim, U> &trial,
          PointValues<components, dim, T> &test)
    {
      TESSERA_UNROLL
      for (int c = 0; c < components; ++c)
        test.value[c] = point[0] * trial.value[c];
    }
  };

  template <int dim>
  struct Mass : MassForm<Mass<dim>, dim, 1>
  {};

  /// c u, with a scalar c.
  Form
  mass(const Coefficient &c = Coefficient::scalar(1.));
} // namespace tessera

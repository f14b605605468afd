#pragma once

#include <tessera/forms/form.h>

namespace tessera
{
  /// a(u, v) = int c u v, with a scalar c.
  template <int dim>
  struct Mass : PointForm<Mass<dim>, dim>
  {
    static constexpr bool uses_values    = true;
    static constexpr bool uses_gradients = false;
    static constexpr int n_coefficients  = 1;
    static constexpr int n_point         = 1; ///< w det J c

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<Mass, T> &fields, T (&point)[n_point])
    {
      point[0] = weight * determinant(j) * fields.coefficient[0];
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<1, dim, U> &trial,
          PointValues<1, dim, T> &test)
    {
      test.value[0] = point[0] * trial.value[0];
    }
  };

  /// c u, with a scalar c.
  Form
  mass(const Coefficient &c = Coefficient::scalar(1.));
} // namespace tessera

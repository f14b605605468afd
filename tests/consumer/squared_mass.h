#pragma once

#include <tessera/forms/form.h>

namespace tessera
{
  /// A form of this project: a(u, v) = int c^2 u v.
  template <int dim>
  struct SquaredMass : PointForm<SquaredMass<dim>, dim>
  {
    static constexpr bool uses_values    = true;
    static constexpr bool uses_gradients = false;
    static constexpr int n_coefficients  = 1;
    static constexpr int n_point         = 1;

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<SquaredMass, T> &fields, T (&point)[n_point])
    {
      const T c = fields.coefficient[0];
      point[0]  = weight * determinant(j) * c * c;
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<1, dim, U> &trial,
          PointValues<1, dim, T> &test)
    {
      test.value[0] = point[0] * trial.value[0];
    }
  };

  Form
  squared_mass(const Coefficient &c);
} // namespace tessera

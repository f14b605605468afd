#pragma once

#include <tessera/forms/form.h>

namespace tessera
{
  /// a(u, v) = int c u . v of vectors with a component for every dimension and
  /// a scalar c, the mass that goes with `elasticity`.
  template <int dim>
  struct VectorMass : PointForm<VectorMass<dim>, dim, dim>
  {
    static constexpr bool uses_values    = true;
    static constexpr bool uses_gradients = false;
    static constexpr int n_coefficients  = 1;
    static constexpr int n_point         = 1; ///< w det J c

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<VectorMass, T> &fields, T (&point)[n_point])
    {
      point[0] = weight * determinant(j) * fields.coefficient[0];
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<dim, dim, U> &trial,
          PointValues<dim, dim, T> &test)
    {
      TESSERA_UNROLL
      for (int c = 0; c < dim; ++c)
        test.value[c] = point[0] * trial.value[c];
    }
  };

  /// c u with a component for every dimension and a scalar c.
  Form
  vector_mass(const Coefficient &c = Coefficient::scalar(1.));
} // namespace tessera

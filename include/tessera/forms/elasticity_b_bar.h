#pragma once

#include <tessera/forms/elasticity.h>

namespace tessera
{
  /// Elasticity that does not lock where a material is nearly incompressible:
  /// the volume strain div u is replaced by its projection P on each cell,
  ///   a(u, v) = int eps(u) : C' : eps(v) + kappa P(div u) P(div v),
  /// where C = C' + kappa I I^T (`Stiffness::split`). This is B-bar
  /// (Hughes1980), and for a uniform kappa the mixed method whose pressure is
  /// discontinuous and eliminated in each cell.
  /// The coefficient is the same as in Elasticity.
  template <int dim>
  struct ElasticityBBar : PointForm<ElasticityBBar<dim>, dim, dim>
  {
    static constexpr bool projects      = true;
    static constexpr int n_coefficients = Stiffness<dim>::n_entries;
    /// As for Elasticity with C' instead of C, followed by w det J.
    static constexpr int n_point = Elasticity<dim>::n_point + 1;

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<ElasticityBBar, T> &fields, T (&point)[n_point])
    {
      T rest[n_coefficients];
      Stiffness<dim>::split(fields.coefficient, rest);
      point[n_point - 1] =
        Elasticity<dim>::linearize_at(j, weight, rest, point);
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<dim, dim, U> &trial,
          PointValues<dim, dim, T> &test)
    {
      Elasticity<dim>::apply_at(point, trial, test);
    }

    /// w det J div u.
    template <class T, class U>
    TESSERA_HOST_DEVICE static T
    projected(const T (&point)[n_point], const PointValues<dim, dim, U> &trial)
    {
      T divergence = point[0] * trial.gradient[0][0];
      TESSERA_UNROLL
      for (int k = 1; k < dim * dim; ++k)
        divergence += point[k] * trial.gradient[k % dim][k / dim];
      return point[n_point - 1] * divergence;
    }

    template <class T>
    TESSERA_HOST_DEVICE static void
    add_projected(const T (&point)[n_point], const T factor,
                  PointValues<dim, dim, T> &test)
    {
      const T scale = point[n_point - 1] * factor;
      TESSERA_UNROLL
      for (int k = 0; k < dim * dim; ++k)
        test.gradient[k % dim][k / dim] += scale * point[k];
    }

    static double
    projection_weight(const double (&stiffness)[n_coefficients])
    {
      double rest[n_coefficients];
      return Stiffness<dim>::split(stiffness, rest);
    }
  };

  /// -div sigma(u) without locking; see ElasticityBBar.
  Form
  elasticity_b_bar(const Coefficient &stiffness);
} // namespace tessera

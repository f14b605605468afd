#pragma once

#include <tessera/forms/form.h>
#include <tessera/space/stiffness.h>

namespace tessera
{
  /// a(u, v) = int sigma(u) : eps(v), eps(u) = (grad u + grad u^T) / 2, of
  /// linear elasticity with an orthotropic stiffness along the axes. The
  /// coefficient has the entries of `Stiffness`; `isotropic_stiffness` returns
  /// it for a Young's modulus and a Poisson's ratio.
  template <int dim>
  struct Elasticity : PointForm<Elasticity<dim>, dim, dim>
  {
    static constexpr int n_coefficients = Stiffness<dim>::n_entries;
    /// J^-1, row by row, and w det J C.
    static constexpr int n_point = dim * dim + n_coefficients;

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<Elasticity, T> &fields, T (&point)[n_point])
    {
      linearize_at(j, weight, fields.coefficient, point);
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<dim, dim, U> &trial,
          PointValues<dim, dim, T> &test)
    {
      apply_at(point, trial, test);
    }

    /// Sets the first numbers of a point for a stiffness, and returns w det J.
    template <class T, class Number, int n>
    TESSERA_HOST_DEVICE static T
    linearize_at(const T (&j)[dim][dim], const Number weight,
                 const T (&stiffness)[n_coefficients], T (&point)[n])
    {
      T c[dim][dim];
      cofactors(j, c);
      const T det   = determinant(j, c);
      const T scale = quotient(T(1.), det);
      TESSERA_UNROLL
      for (int d = 0; d < dim; ++d)
        TESSERA_UNROLL
      for (int a = 0; a < dim; ++a)
        point[d * dim + a] = scale * c[a][d];
      TESSERA_UNROLL
      for (int i = 0; i < n_coefficients; ++i)
        point[dim * dim + i] = weight * det * stiffness[i];
      return weight * det;
    }

    /// Applies the form by the first numbers of a point.
    template <class T, class U, int n>
    TESSERA_HOST_DEVICE static void
    apply_at(const T (&point)[n], const PointValues<dim, dim, U> &trial,
             PointValues<dim, dim, T> &test)
    {
      T gradient[dim][dim], stress[dim][dim]; // of component i, in direction a
      TESSERA_UNROLL
      for (int i = 0; i < dim; ++i)
        TESSERA_UNROLL
      for (int a = 0; a < dim; ++a)
        {
          gradient[i][a] = point[a] * trial.gradient[i][0];
          TESSERA_UNROLL
          for (int d = 1; d < dim; ++d)
            gradient[i][a] += point[d * dim + a] * trial.gradient[i][d];
        }
      Stiffness<dim>::apply(point + dim * dim, gradient, stress);
      TESSERA_UNROLL
      for (int i = 0; i < dim; ++i)
        TESSERA_UNROLL
      for (int d = 0; d < dim; ++d)
        {
          test.gradient[i][d] = point[d * dim] * stress[i][0];
          TESSERA_UNROLL
          for (int a = 1; a < dim; ++a)
            test.gradient[i][d] += point[d * dim + a] * stress[i][a];
        }
    }
  };

  /// -div sigma(u), with dim components; see Elasticity for the coefficient.
  Form
  elasticity(const Coefficient &stiffness);
} // namespace tessera

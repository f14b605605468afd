#pragma once

#include <tessera/forms/form.h>

namespace tessera
{
  /// a(u, v) = int sigma(u) : eps(v), eps(u) = (grad u + grad u^T) / 2, of
  /// linear elasticity with an orthotropic stiffness along the axes. In three
  /// dimensions the coefficient is
  ///   (C11, C12, C13, C22, C23, C33, C44, C55, C66)
  /// in Voigt's order 11, 22, 33, 23, 13, 12; in two it is
  ///   (C11, C12, C22, C33), in the order 11, 22, 12.
  /// `isotropic_stiffness` returns it for a Young's modulus and a Poisson's
  /// ratio.
  template <int dim>
  struct Elasticity : PointForm<Elasticity<dim>, dim, dim>
  {
    /// Entries that couple normal strains; those of shear stand behind.
    static constexpr int n_normal       = n_symmetric(dim);
    static constexpr int n_shear        = dim * (dim - 1) / 2;
    static constexpr int n_coefficients = n_normal + n_shear;
    /// J^-1, row by row, and w det J C.
    static constexpr int n_point = dim * dim + n_coefficients;

    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    linearize(const T (&j)[dim][dim], const Number weight,
              const Fields<Elasticity, T> &fields, T (&point)[n_point])
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
        point[dim * dim + i] = weight * det * fields.coefficient[i];
    }

    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T (&point)[n_point], const PointValues<dim, dim, U> &trial,
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
      TESSERA_UNROLL
      for (int i = 0; i < dim; ++i)
        {
          stress[i][i] = stiffness(point, i, 0) * gradient[0][0];
          TESSERA_UNROLL
          for (int k = 1; k < dim; ++k)
            stress[i][i] += stiffness(point, i, k) * gradient[k][k];
          TESSERA_UNROLL
          for (int k = i + 1; k < dim; ++k)
            stress[i][k] = stress[k][i] =
              point[dim * dim + n_normal + (dim == 2 ? 0 : 3 - i - k)] *
              (gradient[i][k] + gradient[k][i]);
        }
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

  private:
    template <class T>
    TESSERA_HOST_DEVICE static T
    stiffness(const T (&point)[n_point], const int i, const int k)
    {
      return point[dim * dim + symmetric_entry(dim, i, k)];
    }
  };

  /// What a plane model assumes across the plane.
  enum class Plane
  {
    strain, ///< no strain
    stress  ///< no stress
  };

  /// Returns the coefficient of `elasticity` for Young's modulus E and
  /// Poisson's ratio nu. In three dimensions `plane` has no meaning. Throws
  /// std::domain_error unless E > 0 and -1 < nu < 1/2.
  inline Coefficient
  isotropic_stiffness(const int dim, const double young, const double poisson,
                      const Plane plane = Plane::strain)
  {
    if (!(young > 0 && poisson > -1 && poisson < 0.5))
      throw std::domain_error(
        "isotropic_stiffness: Young's modulus is > 0 and "
        "Poisson's ratio between -1 and 1/2");
    const double mu = young / (2 * (1 + poisson));
    // Lame's first parameter; for plane stress the one that has no stress
    // across the plane.
    const double lambda =
      dim == 2 && plane == Plane::stress
        ? young * poisson / (1 - poisson * poisson)
        : young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    const double normal = lambda + 2 * mu;
    if (dim == 2)
      return {Coefficient::Kind::uniform, 4, {normal, lambda, normal, mu}};
    return {Coefficient::Kind::uniform,
            9,
            {normal, lambda, lambda, normal, lambda, normal, mu, mu, mu}};
  }

  /// -div sigma(u), with dim components; see Elasticity for the coefficient.
  Form
  elasticity(const Coefficient &stiffness);
} // namespace tessera

#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/symmetric.h>
#include <tessera/space/coefficient.h>

#include <stdexcept>

namespace tessera
{
  /// The law sigma = C eps of a linear elastic material that is orthotropic
  /// along the axes. In three dimensions its entries are
  ///   (C11, C12, C13, C22, C23, C33, C44, C55, C66)
  /// in Voigt's order 11, 22, 33, 23, 13, 12; in two they are
  ///   (C11, C12, C22, C33), in the order 11, 22, 12.
  template <int dim>
  struct Stiffness
  {
    /// Entries that couple normal strains; those of shear stand behind.
    static constexpr int n_normal  = n_symmetric(dim);
    static constexpr int n_entries = n_normal + dim * (dim - 1) / 2;

    /// Computes the stress [i][a] from the gradient of the displacement, whose
    /// [i][a] is the derivative of component i in direction a. `entries` may
    /// have a factor, which the stress then has too.
    template <class T, class U>
    TESSERA_HOST_DEVICE static void
    apply(const T *const entries, const U (&gradient)[dim][dim],
          T (&stress)[dim][dim])
    {
      TESSERA_UNROLL
      for (int i = 0; i < dim; ++i)
        {
          stress[i][i] = entries[symmetric_entry(dim, i, 0)] * gradient[0][0];
          TESSERA_UNROLL
          for (int k = 1; k < dim; ++k)
            stress[i][i] +=
              entries[symmetric_entry(dim, i, k)] * gradient[k][k];
          TESSERA_UNROLL
          for (int k = i + 1; k < dim; ++k)
            stress[i][k] = stress[k][i] =
              entries[n_normal + (dim == 2 ? 0 : 3 - i - k)] *
              (gradient[i][k] + gradient[k][i]);
        }
    }
  };

  /// What a plane model assumes across the plane.
  enum class Plane
  {
    strain, ///< no strain
    stress  ///< no stress
  };

  /// Returns the entries of `Stiffness` for Young's modulus E and
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
} // namespace tessera

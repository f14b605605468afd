#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/symmetric.h>
#include <tessera/space/coefficient.h>
#include <tessera/space/geometry.h>

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
    /// Entries that couple normal strains; the entries of shear follow.
    static constexpr int n_normal  = n_symmetric(dim);
    static constexpr int n_entries = n_normal + dim * (dim - 1) / 2;

    /// Computes the stress [i][a] from the gradient of the displacement, whose
    /// entry [i][a] is the derivative of component i in direction a. If
    /// `entries` are multiplied by a factor, the stress is too.
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

    /// Splits a law into C = C' + kappa I I^T, where kappa = 1 / (I : C^-1 : I)
    /// is the largest number for which C' is not negative: the bulk modulus, in
    /// two dimensions of the plane. Returns kappa, and C' in `rest`. What
    /// is subtracted is no larger than C', however large kappa is. With the
    /// strain b of a pressure, C b = kappa I and tr b = 1,
    ///   eps : C : eps = eps : C' : eps + kappa tr(eps)^2,
    /// and replacing tr(eps) by another number replaces eps by one that is
    /// different by a multiple of b.
    template <class T>
    TESSERA_HOST_DEVICE static T
    split(const T *const entries, T *const rest)
    {
      T b[dim];
      return split(entries, rest, b);
    }

    template <class T>
    TESSERA_HOST_DEVICE static T
    split(const T *const entries, T *const rest, T (&b)[dim])
    {
      const T shift = entries[1]; // C12; D = C - C12 I I^T
      TESSERA_UNROLL
      for (int i = 0; i < n_entries; ++i)
        rest[i] = i < n_normal ? entries[i] - shift : entries[i];
      T least; // 1 / (I : D^-1 : I)
      if constexpr (dim == 2)
        {
          const T scale = quotient(T(1.), rest[0] + rest[2]);
          b[0]          = scale * rest[2];
          b[1]          = scale * rest[0];
          least         = rest[0] * b[0];
        }
      else
        {
          const T d00 = rest[0], d02 = rest[2], d11 = rest[3], d12 = rest[4],
                  d22 = rest[5];
          // Sums of the rows of the adjugate of D.
          b[0]        = d11 * d22 - d12 * d12 + d02 * d12 - d02 * d11;
          b[1]        = d02 * d12 + d00 * d22 - d02 * d02 - d12 * d00;
          b[2]        = d00 * d11 - d02 * d11 - d12 * d00;
          const T sum = quotient(T(1.), b[0] + b[1] + b[2]);
          TESSERA_UNROLL
          for (int d = 0; d < dim; ++d)
            b[d] *= sum;
          least = d00 * b[0] + d02 * b[2];
        }
      TESSERA_UNROLL
      for (int i = 0; i < n_normal; ++i)
        rest[i] -= least;
      return shift + least;
    }
  };

  /// The assumption of a plane model about the third direction.
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

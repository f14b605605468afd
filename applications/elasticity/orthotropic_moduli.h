#pragma once

#include <tessera/forms/elasticity.h>

#include <cmath>

namespace tessera
{
  /// The constants of a material whose axes are the coordinate axes.
  struct OrthotropicModuli
  {
    double young[3];   ///< E_x, E_y, E_z
    double poisson[3]; ///< nu_xy, nu_yz, nu_xz; nu_xy = -eps_yy / eps_xx under
                       ///< sigma_xx, so that nu_yx = nu_xy E_y / E_x
    double shear[3];   ///< G_xy, G_yz, G_xz
  };

  /// Returns the stiffness (C11, C12, C13, C22, C23, C33, C44, C55, C66) in
  /// Voigt's order 11, 22, 33, 23, 13, 12, the inverse of the compliance with
  /// the entries 1 / E_i, -nu_ij / E_i and 1 / G_ij. Throws std::domain_error
  /// unless it is finite and positive definite.
  inline std::vector<double>
  orthotropic_stiffness(const OrthotropicModuli &m)
  {
    const double a = 1 / m.young[0], b = 1 / m.young[1], c = 1 / m.young[2];
    const double d = -m.poisson[0] * a, e = -m.poisson[2] * a,
                 f     = -m.poisson[1] * b; // entries xy, xz and yz
    const double minor = a * b - d * d;
    const double det   = c * minor - b * e * e - a * f * f + 2 * d * e * f;
    const std::vector<double> result = {(b * c - f * f) / det,
                                        (e * f - c * d) / det,
                                        (d * f - b * e) / det,
                                        (a * c - e * e) / det,
                                        (d * e - a * f) / det,
                                        minor / det,
                                        m.shear[1],
                                        m.shear[2],
                                        m.shear[0]};
    bool legal                       = a > 0 && minor > 0 && det > 0;
    for (int i = 0; i < 3; ++i)
      legal = legal && m.shear[i] > 0;
    for (const double entry : result)
      legal = legal && std::isfinite(entry);
    if (!legal)
      throw std::domain_error(
        "orthotropic_stiffness: the stiffness is not positive definite");
    return result;
  }

  /// Returns the coefficient of `elasticity`. In three dimensions `plane` has
  /// no meaning. Throws what the function above throws.
  inline Coefficient
  orthotropic_stiffness(const int dim, const OrthotropicModuli &moduli,
                        const Plane plane = Plane::strain)
  {
    const auto c = orthotropic_stiffness(moduli);
    if (dim == 3)
      return {Coefficient::Kind::uniform, 9, c};
    // For plane stress, eps_zz follows from sigma_zz = 0.
    const double part = plane == Plane::stress ? 1 / c[5] : 0;
    return {Coefficient::Kind::uniform,
            4,
            {c[0] - part * c[2] * c[2], c[1] - part * c[2] * c[4],
             c[3] - part * c[4] * c[4], c[8]}};
  }

  /// Returns (c13, c23, c33, e13, e23). The elastic strains of a plane model
  /// satisfy
  ///   sigma_zz = c13 eps_xx + c23 eps_yy + c33 eps_zz,
  ///   eps_zz   = e13 eps_xx + e23 eps_yy:
  /// the last two are 0 for plane strain, the first three for plane stress.
  inline Coefficient
  orthotropic_across(const OrthotropicModuli &moduli, const Plane plane)
  {
    const auto c = orthotropic_stiffness(moduli);
    return {Coefficient::Kind::uniform, 5,
            plane == Plane::strain
              ? std::vector<double>{c[2], c[4], c[5], 0, 0}
              : std::vector<double>{0, 0, 0, -c[2] / c[5], -c[4] / c[5]}};
  }
} // namespace tessera

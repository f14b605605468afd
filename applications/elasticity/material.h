#pragma once

#include "orthotropic_moduli.h"

#include "stresses.h"
#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/fields/coefficients.h>

#include <optional>

/// Declares the entry `Material/Formulation` for volume strains.
void
declare_formulation(tessera::Parameters &parameters);

/// The section `Material` of a parameter file: Young's modulus E, Poisson's
/// ratio nu and the shear modulus G, which may differ between the axes, the
/// density and the thermal expansion, each a formula of the place for the whole
/// body and formulas for single materials, and in two dimensions
/// the assumption across the plane. Units are the user's: with lengths in m and
/// E in Pa, forces are in N and densities in kg/m^3.
template <int dim>
class ElasticMaterial
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// Reads the section. Throws ParameterError if a formula cannot be parsed.
  explicit ElasticMaterial(const tessera::Parameters &parameters);

  /// The coefficient of the form `elasticity`, and `StressProblem::across`.
  struct Stiffness
  {
    tessera::Coefficient form, across;
  };

  /// Throws ParameterError naming entry and place unless E > 0 and
  /// -1 < nu < 1/2 or, where axes differ or G is given, the stiffness is
  /// positive definite, and what MaterialExpression::coefficient throws.
  Stiffness
  stiffness(const tessera::Mesh<dim> &mesh, const tessera::Space &space) const;

  /// Returns true if a case with this stiffness uses the form
  /// `elasticity_b_bar`, by the entry `Formulation`. Prints a note if it does
  /// or if cells may lock. Throws ParameterError if the entry asks for it where
  /// it does not exist. All processes have to call it.
  bool
  chooses_b_bar(const Stiffness &stiffness,
                tessera::Discretization<dim> &d) const;

  /// Returns the strain by which the body would expand without stress, thermal
  /// expansion times temperature along the three axes; none if there is no
  /// temperature.
  std::optional<tessera::Coefficient>
  expansion(const tessera::Mesh<dim> &mesh, const tessera::Space &space) const;

  /// Returns the force per volume f = density gravity + body force, [dim]. An
  /// entry of the section `Loads`; throws ParameterError if the density is
  /// negative somewhere. The device of `cells` computes it, if they are given.
  tessera::Coefficient
  body_force(
    const tessera::Mesh<dim> &mesh, const tessera::Space &space,
    const std::shared_ptr<const tessera::CellData<double>> &cells) const;

private:
  tessera::MaterialExpression<dim> young, poisson, shear, density, thermal;
  std::optional<tessera::MaterialExpression<dim>> force, gravity, temperature;
  tessera::Plane plane;
  std::string formulation;
};

#pragma once

#include "material.h"

#include "contact_loads.h"
#include "point_loads.h"
#include "stresses.h"
#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/fields/boundary_conditions.h>
#include <tessera/forms/elasticity_b_bar.h>

/// The boundary conditions of `elasticity`.
const tessera::BoundaryKinds &
boundary_kinds();

/// The sections of the equation.
template <int dim>
struct Equation
{
  static void
  declare(tessera::Parameters &parameters);

  explicit Equation(const tessera::Parameters &parameters);

  const ElasticMaterial<dim> material;
  const tessera::BoundaryConditions<dim> boundary;
  const tessera::PointLoads<dim> point_loads;
  const tessera::ContactLoads<dim> contact_loads;
  const bool eliminate_after;
};

/// The equation on the cells and faces of a case or, in several processes, on
/// the cells and faces of this process.
template <int dim>
struct Data
{
  tessera::BoundaryFaces faces                       = {};
  typename ElasticMaterial<dim>::Stiffness stiffness = {};
  std::optional<tessera::Coefficient> expansion      = {}; ///< without stress
  tessera::Coefficient force                         = {};
  bool b_bar = false; ///< the form is `elasticity_b_bar`
  /// Loads at nodes; loads equivalent to an expansion, whose sum is 0; and
  /// forces of springs where u = 0: [n_dofs].
  dealii::Vector<double> loads = {}, expanding = {}, resting = {};

  tessera::StressProblem<dim>
  stresses(const tessera::Discretization<dim> &d,
           const dealii::Vector<double> &u) const
  {
    return {d.cells(),
            u,
            *d.space,
            stiffness.form,
            stiffness.across,
            expansion ? &*expansion : nullptr,
            b_bar};
  }

  tessera::Form
  form() const
  {
    return b_bar ? tessera::elasticity_b_bar(stiffness.form)
                 : tessera::elasticity(stiffness.form);
  }
};

/// Discretises a case. Throws what its parts throw, in all processes.
template <int dim>
Data<dim>
discretize(const Equation<dim> &equation, tessera::Discretization<dim> &d);

#pragma once

#include <tessera/forms/mass.h>

namespace tessera
{
  /// The mass that belongs to `elasticity`: see MassForm.
  template <int dim>
  struct VectorMass : MassForm<VectorMass<dim>, dim, dim>
  {};

  /// c u with a component for every dimension and a scalar c.
  Form
  vector_mass(const Coefficient &c = Coefficient::scalar(1.));
} // namespace tessera

#pragma once

#include "stresses.h"
#include <tessera/fem/fields/derived_quantities.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// Returns the names of the quantities that are derived from a displacement
  /// at points: "strain" and "stress", with columns _xx, _yy, _zz, _xy and, in
  /// three dimensions, _xz and _yz; "principal_stress", with columns _1, _2 and
  /// _3, falling; and "von_mises".
  std::vector<std::string>
  names_of_stresses();

  /// Returns the quantities of these names. `problem` is kept, and the objects
  /// that it refers to must live longer. Throws what `compute_stresses` throws
  /// for wrong input.
  template <int dim>
  std::unique_ptr<DerivedQuantities<dim>>
  derived_stresses(const StressProblem<dim> &problem,
                   const std::vector<std::string> &names);
} // namespace tessera

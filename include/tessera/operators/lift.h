#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/forms/coefficient.h>

namespace tessera
{
  /// b -= A [0; g] on owned entries: lifts the boundary values that stand in
  /// the constrained tail of `g`, whose owned entries are zero. This is the
  /// matrix-free operator of -kappa, added to b, less what faces add to A; by
  /// `conflict`, the default of the backend where there is none, or by colours
  /// where that is of rows. Throws ParameterError for `none` on the device.
  template <class Number>
  void
  lift(Vector<Number> &b, const Vector<Number> &g,
       std::shared_ptr<const CellData<Number>> cells, const Coefficient &kappa,
       const BoundaryMatrices<Number> *boundary = nullptr,
       std::optional<Conflict> conflict = {}, Stream stream = {});
} // namespace tessera

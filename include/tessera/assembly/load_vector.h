#pragma once

#include <tessera/assembly/options.h>
#include <tessera/forms/coefficient.h>

namespace tessera
{
  /// b_i += sum over cells of the integral of f phi_i, by the (p+1)^2 point
  /// Gauss rule, on owned entries; `source` has one component, its values in
  /// the order of the space's cells.
  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const Coefficient &source, Conflict conflict,
                  Stream stream = {});
} // namespace tessera

#pragma once

#include <tessera/assembly/options.h>
#include <tessera/forms/coefficient.h>

namespace tessera
{
  /// b_i += sum over cells of the integral of f phi_i, by the (p+1)^2 point
  /// Gauss rule, on owned entries; `source` has one component, its values in
  /// the order of the space's cells.
  template <class Number>
  void add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                       const Coefficient &source,
                       Conflict conflict = Conflict::atomics,
                       Stream stream     = {});

  /// b -= A [0; g] on owned entries: lifts the boundary values that stand in
  /// the constrained tail of `g`, whose owned entries are zero.
  template <class Number>
  void lift(Vector<Number> &b, const Vector<Number> &g,
            const CellData<Number> &cells, const Coefficient &kappa,
            Stream stream = {});
} // namespace tessera

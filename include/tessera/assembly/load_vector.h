#pragma once

#include <tessera/assembly/gather_vector.h>
#include <tessera/assembly/options.h>
#include <tessera/space/coefficient_data.h>

namespace tessera
{
  /// Adds the load vector of f: b_i += sum over cells of the integral of
  /// f phi_i, for owned entries, computed with the quadrature rule of
  /// `cell_rule`. `source` is f, with values in the order of the space's cells;
  /// it has as many components as b, [node][component], and each costs as much
  /// as a vector of one. The route is `scatter`, or `gather`, which needs no
  /// conflict handling. Waits for the device. Throws ParameterError for another
  /// route or for conflict handling that does not suit the backend, and what
  /// GatherVector throws, and std::length_error for a vector of another number
  /// of components.
  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const Coefficient &source, Conflict conflict,
                  Route route = Route::scatter, Stream stream = {});

  /// Scatters a source of one component without waiting for the device: the
  /// memory behind `source` must stay valid until the work is done.
  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const CoefficientView<Number> &source, Conflict conflict,
                  Stream stream = {});

  /// Gathers a source of one component with a list of cells that is reused:
  /// `gather` was made of the same cells and serves one stream at a time. The
  /// memory behind `source` and `gather` must stay valid until the work is
  /// done.
  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const CoefficientView<Number> &source,
                  GatherVector<Number> &gather, Stream stream = {});
} // namespace tessera

#pragma once

#include <tessera/assembly/gather_vector.h>
#include <tessera/assembly/options.h>
#include <tessera/forms/coefficient_data.h>

namespace tessera
{
  /// Of load vectors, where that of a matrix was chosen: `gather` instead of
  /// `owner`, which is of rows of matrices; and what is the default of the
  /// backend where nothing was.
  Conflict
  load_conflict(std::optional<Conflict> conflict, Backend backend);

  /// b_i += sum over cells of the integral of f phi_i, by the (p+1)^2 point
  /// Gauss rule, on owned entries; `source` has one component, its values in
  /// the order of the space's cells. Throws ParameterError for `owner`, and
  /// for `none` on the device, and by `gather` what GatherVector throws.
  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const Coefficient &source, Conflict conflict,
                  Stream stream = {});

  /// The same, but for `gather`, which throws ParameterError, without waiting
  /// for the device: what is behind `source` must outlive it.
  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const CoefficientView<Number> &source, Conflict conflict,
                  Stream stream = {});

  /// By `gather`, again and again with one list of the same cells; `source` and
  /// `gather` must outlive it, and `gather` serves one stream at a time.
  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const CoefficientView<Number> &source,
                  GatherVector<Number> &gather, Stream stream = {});
} // namespace tessera

#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/forms/form.h>

namespace tessera
{
  /// Subtracts A [0; g] from b on owned entries. This moves the boundary
  /// values, which stand in the constrained tail of `g`, to the right-hand
  /// side; the owned entries of `g` must be zero.
  ///
  /// The cells contribute by a matrix-free operator for the form with the
  /// negative coefficient, of which the form has to be a linear function; the
  /// faces of `boundary` by their matrices. If `conflict` is not given, the
  /// default of the backend is used. Throws ParameterError for `none` on the
  /// device. On the device the function waits for the stream.
  template <class Number>
  void
  lift(Vector<Number> &b, const Vector<Number> &g,
       std::shared_ptr<const CellData<Number>> cells, const Form &form,
       const BoundaryMatrices<Number> *boundary = nullptr,
       std::optional<Conflict> conflict = {}, Stream stream = {});
} // namespace tessera

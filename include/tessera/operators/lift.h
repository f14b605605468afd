#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/forms/form.h>

namespace tessera
{
  /// Turns a sum over cells, a load or a residual, into a right-hand side:
  /// exports the tail of b, which holds the contributions of cells to ghosts
  /// and hanging nodes, and sets given components to zero. Without a `tail`,
  /// the tail of the cells is used.
  template <class Number>
  void
  finish_right_hand_side(Vector<Number> &b, const CellData<Number> &cells,
                         std::shared_ptr<const Tail<Number>> tail = {},
                         Stream stream                            = {});

  /// Turns b, to which loads were added, into the right-hand side of A x = b:
  /// subtracts A [0; g] and calls `finish_right_hand_side`. `g` holds all given
  /// values, in the tail and at fixed components of owned nodes; its other
  /// entries must be zero. The value of a hanging node in g is the part that is
  /// interpolated from given values.
  ///
  /// The cells contribute by a matrix-free operator for the form with the
  /// negative coefficient, so the form must depend linearly on the coefficient;
  /// the faces of `boundary` contribute by their matrices. If `conflict` is not
  /// given, the default of the backend is used. Throws ParameterError for
  /// `none` on the device. Without a `tail`, the tail of the cells is used. On
  /// the device the function waits for the stream.
  template <class Number>
  void
  lift(Vector<Number> &b, const Vector<Number> &g,
       std::shared_ptr<const CellData<Number>> cells, const Form &form,
       const BoundaryMatrices<Number> *boundary = nullptr,
       std::optional<Conflict> conflict         = {},
       std::shared_ptr<const Tail<Number>> tail = {}, Stream stream = {});
} // namespace tessera

#pragma once

#include <tessera/space/cell_data.h>

// This header declares the device functions that fill CellEntities.
namespace tessera
{
  /// The cells, and the arrays that their node indices and vertices are
  /// converted to.
  template <class Number>
  struct EntityArrays
  {
    CellView<Number> cells;
    int n_batches, degree, n_entries, padding_index;
    int *indices;        ///< [n_batches][n_entries][32]
    InnerNodes *inner;   ///< [n_batches]
    Number *coordinates; ///< [padding_index + 4][2]
    int *n_misfits;      ///< counts what does not fit this form
  };

  /// Writes `indices` and `inner`. Counts in `n_misfits` the cells whose node
  /// indices do not have this form.
  template <class Number>
  void
  write_entities(const EntityArrays<Number> &to);

  /// Writes `coordinates`. Counts in `n_misfits` the coordinates that differ
  /// from the coordinates of another vertex with the same degree of freedom.
  template <class Number>
  void
  write_entity_coordinates(const EntityArrays<Number> &to);
} // namespace tessera

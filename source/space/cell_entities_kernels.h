#pragma once

#include <tessera/space/cell_data.h>

// What makes CellEntities, on the device.
namespace tessera
{
  /// The cells, and what their degrees of freedom and vertices become.
  template <class Number>
  struct EntityArrays
  {
    CellView<Number> cells;
    int n_batches, degree, n_entries, padding_index;
    int *indices;        ///< [n_batches][n_entries][32]
    InnerNodes *inner;   ///< [n_batches]
    Number *coordinates; ///< [padding_index + 4][2]
    int *n_misfits;      ///< added to for what cannot be written so
  };

  /// Writes indices and inner nodes.
  template <class Number>
  void
  write_entities(const EntityArrays<Number> &to);

  /// Writes coordinates, and counts vertices at whose degree of freedom are
  /// others.
  template <class Number>
  void
  write_entity_coordinates(const EntityArrays<Number> &to);
} // namespace tessera

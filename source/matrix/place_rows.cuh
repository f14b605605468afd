#pragma once

#include "place_rows_kernels.h"

namespace tessera
{
  template <class T>
  TESSERA_HOST_DEVICE void
  place_row(const RowPlaces<T> &places, const int row)
  {
    const T *const from = places.from + places.row_start[row];
    const int length =
      static_cast<int>(places.row_start[row + 1] - places.row_start[row]);
    for (int k = 0; k < length; ++k)
      places.to[places.rows.position(row, k)] = from[k];
  }

  /// Fills the places of a row behind its entries with the number of the row.
  template <class T>
  TESSERA_HOST_DEVICE void
  pad_row(const RowPlaces<T> &places, const int row)
  {
    const int length =
      static_cast<int>(places.row_start[row + 1] - places.row_start[row]);
    const int width =
      places.widths != nullptr ? places.widths[row] : places.width;
    for (int k = length; k < width; ++k)
      places.to[places.rows.position(row, k)] = static_cast<T>(row);
  }
} // namespace tessera

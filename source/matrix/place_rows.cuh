#pragma once

#include <tessera/base/for_each.h>

#include "place_rows_kernels.h"

namespace tessera
{
  /// Writes what stands beyond the entries of a row, if anything does.
  template <class T>
  struct PlacePadding
  {
    RowPlaces<T> places;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row = static_cast<int>(i);
      const int length =
        static_cast<int>(places.row_start[row + 1] - places.row_start[row]);
      const int width =
        places.widths != nullptr ? places.widths[row] : places.width;
      for (int k = length; k < width; ++k)
        places.to[places.rows.position(row, k)] = static_cast<T>(row);
    }
  };

  /// Places the entries of a row and its padding: neighbouring threads write to
  /// neighbouring places of slices.
  template <class T>
  struct PlaceRow
  {
    RowPlaces<T> places;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row       = static_cast<int>(i);
      const T *const from = places.from + places.row_start[row];
      const int length =
        static_cast<int>(places.row_start[row + 1] - places.row_start[row]);
      for (int k = 0; k < length; ++k)
        places.to[places.rows.position(row, k)] = from[k];
      PlacePadding<T>{places}(i);
    }
  };
} // namespace tessera

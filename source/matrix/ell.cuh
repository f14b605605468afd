#pragma once

#include <tessera/matrix/ell_layout.h>

#include "ell_kernels.h"

namespace tessera
{
  TESSERA_HOST_DEVICE void
  fill_places(const EllPlaces &places, const int row)
  {
    const int *const from = places.from + places.row_start[row];
    const int length =
      static_cast<int>(places.row_start[row + 1] - places.row_start[row]);
    places.lengths[row]     = length;
    const std::int64_t base = ell_base(row, places.width);
    for (int k = 0; k < places.width; ++k)
      places.columns[base + k * ell_slice_rows] = k < length ? from[k] : row;
    for (int k = places.width; k < length; ++k)
      places.columns[base + places.rest[row] + k] = from[k];
  }
} // namespace tessera

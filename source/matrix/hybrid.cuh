#pragma once

#include <tessera/matrix/ell_layout.h>

#include "hybrid_kernels.h"

namespace tessera
{
  TESSERA_HOST_DEVICE int
  rest_of_row(const int length, const int width)
  {
    return length > width ? length - width : 0;
  }

  TESSERA_HOST_DEVICE void
  fill_hybrid(const HybridPlaces &places, const int row)
  {
    const std::int64_t first = places.width * ell_padded_rows(places.n_rows);
    const std::int64_t begin = first + places.n_rest[row];
    const std::int64_t end   = first + places.n_rest[row + 1];
    places.rest[row] = begin - places.width - ell_base(row, places.width);
    if (row == 0)
      places.rest_start[0] = first;
    if (begin < end)
      {
        const std::int64_t i     = places.n_rest_rows[row];
        places.rest_rows[i]      = row;
        places.rest_start[i + 1] = end;
      }
  }
} // namespace tessera

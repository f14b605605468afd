#pragma once

#include <tessera/base/attributes.h>
#include <tessera/space/cell_data.h>

namespace tessera
{
  /// The next `n` places of a row of that length. Returns the first.
  TESSERA_HOST int
  reserve_places(std::int32_t *length, const int n, const Conflict conflict)
  {
    int first;
    if (conflict == Conflict::atomics)
      {
#pragma omp atomic capture
        {
          first = *length;
          *length += n;
        }
      }
    else
      {
        first = *length;
        *length += n;
      }
    return first;
  }
} // namespace tessera

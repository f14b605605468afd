#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Returns true if node i of the element belongs to one cell alone.
  template <class E>
  TESSERA_HOST_DEVICE constexpr bool
  is_cell_interior(int i)
  {
    bool inside = !E::simplex;
    for (int d = 0; d < E::dim; ++d, i /= E::n1)
      inside = inside && i % E::n1 > 0 && i % E::n1 < E::n1 - 1;
    return inside;
  }
} // namespace tessera

#pragma once

#include <tessera/space/cell_data.h>

namespace tessera
{
  /// Returns the number of hexahedra on a device whose map is not linear: some
  /// vertex is further from its place in the parallelepiped of the vertices 0,
  /// 1, 2 and 4 than the coordinates of the cell are rounded.
  template <class Number>
  std::int64_t
  n_bent_hexahedra(const CellView<Number> &cells);
} // namespace tessera

#pragma once

#include <tessera/space/space.h>

#include <vector>

namespace tessera::internal
{
  /// Where the entry of a degree of freedom stands in a vector.
  enum class Place : unsigned char
  {
    owned,
    constrained,
    ghost
  };

  /// The cells in the order asked for: a permutation of [0, n_cells).
  std::vector<int>
  order_cells(const Connectivity &mesh, CellOrder cell_order);

  /// Orders the cells (interior first), numbers degrees of freedom and
  /// vertices, and fills all arrays of a space. `place` has one entry a degree
  /// of freedom of `mesh`, which is a whole mesh or one part of it and whose
  /// indices are in range. Throws MeshError where no cell touches a degree of
  /// freedom, or where one of degree 1 stands for two vertices.
  Space
  number(const Connectivity &mesh, const std::vector<Place> &place,
         Numbering numbering, CellOrder cell_order);
} // namespace tessera::internal

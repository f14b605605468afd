#pragma once

#include <tessera/space/space.h>

#include <cstdint>
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
  order_cells(const Connectivity &mesh, CellOrder cell_order, int block_side);

  /// [n_cells]: the block of each cell, in the order in which they are visited.
  /// Blocks are the boxes of a uniform grid whose sides are `side` times those
  /// of a mean cell; a cell is where its centre is. On a grid of boxes they
  /// have exactly `side` boxes a direction.
  std::vector<std::uint64_t>
  block_keys(const Connectivity &mesh, int side);

  /// [n_dofs]: all degrees of freedom by position; see `numberings.def`.
  std::vector<int>
  order_lexicographically(const Connectivity &mesh);

  std::vector<int>
  order_along_hilbert_curve(const Connectivity &mesh);

  /// Those that are owned, by the reverse order of Cuthill and McKee on the
  /// graph of the matrix, whose edges are pairs of owned degrees of freedom of
  /// a cell; then the others as they were.
  ///
  /// From an end of the graph, by distance; those of one distance in the order
  /// of the neighbour that was numbered first, then by the number of their own
  /// neighbours, then by their index; all backwards (A. George, J. W. Liu,
  /// Computer solution of large sparse positive definite systems, 1981, chapter
  /// 4). An end is as far as can be from one that is as far as can be from the
  /// first index, and so on while distances grow. Parts that are not connected
  /// come one after the other. All but the number of neighbours costs
  /// O(n_cells n).
  std::vector<int>
  order_by_cuthill_mckee(const Connectivity &mesh,
                         const std::vector<Place> &place);

  /// Orders the cells (interior first), numbers degrees of freedom and
  /// vertices, and fills all arrays of a space. `place` has one entry a degree
  /// of freedom of `mesh`, which is a whole mesh or one part of it and whose
  /// indices are in range. Throws MeshError where no cell touches a degree of
  /// freedom, or where one of degree 1 stands for two vertices, and
  /// ParameterError for a block side that is not legal.
  Space
  number(const Connectivity &mesh, const std::vector<Place> &place,
         Numbering numbering, CellOrder cell_order, int block_side);
} // namespace tessera::internal

#pragma once

#include <tessera/space/space.h>

#include <cstdint>
#include <vector>

namespace tessera::internal
{
  /// The section of a vector in which a node stands, in their order.
  enum class Place : unsigned char
  {
    owned,
    ghost,
    hanging,
    constrained
  };
  constexpr int n_places = 4;

  /// Returns where the nodes of a mesh stand that no other part owns.
  std::vector<Place>
  places(const Connectivity &mesh);

  /// Sets the fixed components and the hanging entries of a space. `local` has
  /// the local index of every node of the mesh.
  void
  set_constraints(Space &space, const Connectivity &mesh,
                  const std::vector<int> &local);

  /// Returns the cells in the order asked for, as a permutation of
  /// [0, n_cells).
  std::vector<int>
  order_cells(const Connectivity &mesh, CellOrder cell_order, int block_side);

  /// Returns the block of each cell, [n_cells]; blocks are numbered in the
  /// order in which they are visited. They are the boxes of a uniform grid
  /// whose sides are `side` times those of a mean cell, and a cell belongs to
  /// the box of its centre. On a grid of boxes, blocks have exactly `side`
  /// boxes per direction.
  std::vector<std::uint64_t>
  block_keys(const Connectivity &mesh, int side);

  /// Returns all degrees of freedom, [n_dofs], ordered by position; see
  /// `numberings.def`.
  std::vector<int>
  order_lexicographically(const Connectivity &mesh);

  /// Returns all degrees of freedom, [n_dofs], ordered along a Hilbert curve;
  /// see `numberings.def`.
  std::vector<int>
  order_along_hilbert_curve(const Connectivity &mesh);

  /// Returns the owned degrees of freedom in the reverse order of Cuthill and
  /// McKee, followed by the others in their old order. The graph is that of the
  /// matrix: its edges are pairs of owned degrees of freedom of a cell.
  ///
  /// The order starts at an end of the graph and goes by distance from there.
  /// Degrees of freedom of one distance are ordered by the neighbour that was
  /// numbered first, then by the number of their own neighbours, then by their
  /// index; the whole order is then reversed (A. George, J. W. Liu, Computer
  /// solution of large sparse positive definite systems, 1981, chapter 4). An
  /// end is found by going from the first index to the farthest one, from there
  /// to the farthest one, and so on while the distance grows. Connected
  /// components come one after the other. Everything but counting the
  /// neighbours costs O(n_cells n).
  std::vector<int>
  order_by_cuthill_mckee(const Connectivity &mesh,
                         const std::vector<Place> &place);

  /// Orders the cells (interior ones first), numbers degrees of freedom and
  /// vertices, and fills all arrays of a space. `mesh` is a whole mesh or one
  /// part of it, with indices in range; `place` has one entry per degree of
  /// freedom of `mesh`. Throws MeshError if no cell touches a degree of
  /// freedom, or if a degree of freedom of degree 1 stands for two vertices,
  /// and ParameterError for a block side that is not legal.
  Space
  number(const Connectivity &mesh, const std::vector<Place> &place,
         Numbering numbering, CellOrder cell_order, int block_side);
} // namespace tessera::internal

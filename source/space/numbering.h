#pragma once

#include <tessera/base/parallel_vector.h>
#include <tessera/space/numbering.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::internal
{
  using Place            = NodePlace;
  constexpr int n_places = 4;

  /// Returns the entries of some items, of `values` with n entries an item.
  template <class T>
  std::vector<T>
  entries_of(const std::vector<T> &values, const std::size_t n,
             const std::vector<int> &items)
  {
    auto result = parallel_vector<T>(n * items.size());
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < items.size(); ++k)
      std::copy_n(values.begin() + n * items[k], n, result.begin() + n * k);
    return result;
  }

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
  /// whose sides are `side` times as long as a mean cell's, and a cell belongs
  /// to the box of its centre. On a grid of boxes, blocks have exactly `side`
  /// boxes per direction.
  std::vector<std::uint64_t>
  block_keys(const Connectivity &mesh, int side);

  /// Returns the first places of batches of 32 cells, and the end.
  std::vector<int>
  equal_batches(const Space &space);

  /// Orders the cells (interior ones first), numbers degrees of freedom and
  /// vertices, and fills all arrays of a space. `mesh` is a whole mesh or one
  /// part of it, with indices in range; `place` has one entry per degree of
  /// freedom of `mesh`. Throws MeshError if no cell touches a degree of
  /// freedom, or if a degree of freedom of degree 1 stands for two vertices,
  /// and ParameterError for a block side that is not legal.
  Space
  number(const Connectivity &mesh, const std::vector<Place> &place,
         const std::string &numbering, CellOrder cell_order, int block_side);
} // namespace tessera::internal

#pragma once

#include <tessera/base/array.h>

#include <cstdint>

// Studies compile with other sizes of blocks, by -DTESSERA_CELLS_PER_BLOCK=64
// in the flags of both compilers, which a record shows.
#ifndef TESSERA_CELLS_PER_BLOCK
#  define TESSERA_CELLS_PER_BLOCK 128
#endif

namespace tessera
{
  /// The arrays of BlockNodes as kernels read them. Block b has the nodes
  /// nodes[start[b]], ..., nodes[start[b + 1] - 1]; the place of a node is its
  /// position in this list. What the cells of the block compute for their nodes
  /// is an array of values, [node of the cell][cell of the block].
  struct BlockNodesView
  {
    /// The values of the node at place k are entries nodes[k - 1].end, ...,
    /// nodes[k].end - 1 of the list `values` of the block.
    struct alignas(8) Node
    {
      int index; ///< local index
      int end;
    };

    /// Positions of two values in their array.
    struct alignas(4) Values
    {
      unsigned short of[2];
    };

    /// [n_blocks + 1]; null if there are none.
    const std::int64_t *start    = nullptr;
    const Node *nodes            = nullptr;
    const unsigned short *places = nullptr; ///< [n_batches][n][32]
    const Values *values         = nullptr; ///< [n_blocks][n * 64]

    /// The same for vertices, which have no values. Null for degree 1, where
    /// the nodes serve for both.
    const std::int64_t *vertex_start    = nullptr;
    const int *vertices                 = nullptr;
    const unsigned short *vertex_places = nullptr; ///< [n_batches][nv][32]

    /// The longest lists.
    int most_nodes = 0, most_vertices = 0;
  };

  /// The nodes of every block of cells on a device, each listed once, and where
  /// the cells of the block find them. A thread block then reads x and the
  /// vertices once into shared memory, and sums up what its cells compute for a
  /// node before it adds to y: on tetrahedra of degree 2, a block of 128 cells
  /// has 1280 nodes of cells but some 350 nodes. The values of a node are
  /// summed up in a fixed order.
  ///
  /// A cell takes 4 n bytes and its share of the nodes with 8 bytes each, and
  /// for degree 2 further 2 n_vertices bytes and 4 for its share of the
  /// vertices.
  class BlockNodes
  {
  public:
    /// Cells of a block.
    static constexpr int n_cells_of_block = TESSERA_CELLS_PER_BLOCK;

    /// The most nodes of a cell for which lists can be made.
    static constexpr int most_nodes_of_cell = 16;

    /// An empty object, for cells that are read in another way.
    BlockNodes() = default;

    /// Takes the indices of the nodes of cells, [n_batches][n][32], and of
    /// their vertices, or null if the first ones serve for both. Padding cells
    /// have the places of the last cell, and no part in sums.
    BlockNodes(const Array<int> &dofs, const Array<int> *vertices_of_cells,
               int n_cells, int n, int n_vertices);

    bool
    empty() const
    {
      return nodes.size() == 0;
    }

    BlockNodesView
    view() const;

    std::size_t
    bytes() const;

  private:
    struct Lists
    {
      Array<std::int64_t> start;
      Array<unsigned short> places;
      int most = 0;
    };

    /// Lists the indices of cells, [n_batches][n][32]; the first `n_vertices`
    /// entries of cells come first. Sets `nodes` and `values`, or `vertices` if
    /// there are nodes.
    Lists
    list(const Array<int> &of_cells, int n_cells, int n, int n_vertices);

    Lists of_nodes, of_vertices;
    Array<BlockNodesView::Node> nodes;
    Array<BlockNodesView::Values> values;
    Array<int> vertices;
  };
} // namespace tessera

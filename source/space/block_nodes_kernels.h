#pragma once

#include <tessera/space/block_nodes.h>

namespace tessera
{
  /// Input and output of the function below: the list of a block follows the
  /// list of the block before. Arrays that are null are not written.
  struct BlockLists
  {
    const int *of_cells; ///< [n_batches][n][32]
    int n_cells, n_blocks;
    int n;          ///< indices of a cell
    int n_vertices; ///< so many of them come first in a list

    int *n_nodes;              ///< [n_blocks]
    const std::int64_t *start; ///< [n_blocks + 1]
    unsigned short *places;    ///< [n_batches][n][32]
    int *vertices;
    BlockNodesView::Node *nodes;
    BlockNodesView::Values *values; ///< [n_blocks][n * 64]
  };

  /// Counts the different indices of every block, or writes the lists if
  /// `start` is set.
  void
  list_block_nodes(const BlockLists &lists);
} // namespace tessera

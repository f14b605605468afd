#pragma once

#include <cstdint>

// The kernels of cells_of_rows.cu and their arguments.
namespace tessera
{
  struct NodesOfCells
  {
    const int *dofs; ///< [n_batches][n][32]
    int n_cells;
    int n; ///< nodes of a cell
    int n_rows;
  };

  /// Adds `weight` to count[row] for every cell of the row.
  void
  count_cells_of_rows(const NodesOfCells &cells, int weight, int *count);

  /// Writes the entries to their places from `start` on. Requires `count` = 0.
  void
  write_cells_of_rows(const NodesOfCells &cells, const std::int64_t *start,
                      unsigned int *entries, unsigned int *count);

  /// Sorts the entries of every row in ascending order.
  void
  sort_cells_of_rows(int n_rows, const std::int64_t *start,
                     unsigned int *entries);
} // namespace tessera

#pragma once

#include <cstdint>

// What the kernels of cells_of_rows.cu are given.
namespace tessera
{
  struct NodesOfCells
  {
    const int *dofs; ///< [n_batches][n][32]
    int n_cells;
    int n; ///< nodes of a cell
    int n_rows;
  };

  /// count[row] += `weight` for every cell of the row.
  void
  count_cells_of_rows(const NodesOfCells &cells, int weight, int *count);

  /// Writes the entries behind `start`; `count` is zero before.
  void
  write_cells_of_rows(const NodesOfCells &cells, const std::int64_t *start,
                      unsigned int *entries, unsigned int *count);

  /// Puts the entries of every row into ascending order.
  void
  sort_cells_of_rows(int n_rows, const std::int64_t *start,
                     unsigned int *entries);
} // namespace tessera

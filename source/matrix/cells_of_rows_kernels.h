#pragma once

#include <tessera/base/for_each.h>

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

  /// Sorts the entries of a row in ascending order by insertion; rows have few
  /// cells.
  struct SortCells
  {
    const std::int64_t *start; ///< [n_rows + 1]
    unsigned int *entries;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      unsigned int *const mine = entries + start[row];
      const int n              = static_cast<int>(start[row + 1] - start[row]);
      for (int i = 1; i < n; ++i)
        {
          const unsigned int entry = mine[i];
          int k                    = i;
          for (; k > 0 && mine[k - 1] > entry; --k)
            mine[k] = mine[k - 1];
          mine[k] = entry;
        }
    }
  };
} // namespace tessera

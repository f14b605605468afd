#pragma once

#include <tessera/matrix/csr_pattern.h>

#include <cstdint>

// What the kernel of slot_map.cu is given.
namespace tessera
{
  struct SlotCells
  {
    const int *dofs; ///< [n_batches][n][32]
    std::int64_t n_cells;
    int n; ///< nodes of a cell
    int n_rows;
    const std::int64_t *row_start;
    const int *columns;
    int *n_repeated; ///< counts rows that a cell has twice
  };

  /// The slots of all entries that have rows and columns, by bisection;
  /// [n_batches][n n][32]. Others are left as they are.
  template <class Slot>
  void
  find_slots_on_device(const SlotCells &cells, Slot *slots);
} // namespace tessera

#pragma once

#include <tessera/base/grid_sum.h>
#include <tessera/space/cell_data.h>

// This header defines the argument that cell operators pass to their kernels.
namespace tessera
{
  /// Returns the thread blocks that share a block of cells in the products of
  /// some forms on hexahedra, each of which leaves a partial sum: one for each
  /// batch if results are added by atomics, so that the last ones are short.
  /// Otherwise cells take turns within one thread block.
  TESSERA_HOST_DEVICE int
  parts_of_block(const Conflict conflict)
  {
    return conflict == Conflict::atomics ? CellData<double>::device_threads / 32
                                         : 1;
  }

  /// Describes y = A x or y += A x on the cells of a block list. `x` and `y`
  /// are whole vectors, [owned | tail].
  template <class Number>
  struct CellApply
  {
    CellView<Number> cells;
    int batches_per_block;
    BlockList blocks;
    Conflict conflict;
    const Number *x;
    Number *y;
    /// True if the kernel has to add to every entry of y. If false, the kernel
    /// may overwrite the entries that belong to one cell alone; all other
    /// entries must be zero beforehand.
    bool add;
    /// If sum.result is not null, the kernel also computes x . A x.
    GridSum sum;
  };
} // namespace tessera

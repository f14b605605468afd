#pragma once

#include <tessera/space/cell_apply.h>
#include <tessera/space/cell_data.h>

namespace tessera
{
  /// Sets d to zero and calls `launch(apply)` for all blocks of cells, which
  /// adds the diagonals of cell matrices to `apply.y`.
  template <class Number, class Launch>
  void
  launch_diagonals(const CellData<Number> &cells, const Conflict conflict,
                   Vector<Number> &d, const Stream stream, const Launch &launch)
  {
    d.zero(stream);
    for (const BlockList &blocks : cells.launches(conflict))
      launch({cells.view(conflict),
              cells.batches_per_block(),
              blocks,
              conflict,
              nullptr,
              d.data(),
              true,
              {}});
  }
} // namespace tessera

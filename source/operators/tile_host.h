#pragma once

#include "row_operator.cuh"
#include "tile_kernels.h"

namespace tessera
{
  /// Calls `work(tile)` for all tiles on the host, which returns its part of
  /// x . A x, and then finishes the rows that end in each tile first.
  template <class Number, class Work>
  TESSERA_HOST void
  for_each_tile(const RowApply<Number> &apply, const TileSums<Number> &tiles,
                const Work &work)
  {
    for_each_block(apply.sum, tiles.n_tiles, 1,
                   [&](const int tile, int) { return work(tile); });
    double energy  = 0;
    Number carried = Number(0);
    for (int tile = 0; tile < tiles.n_tiles; ++tile)
      {
        if (tiles.ends_rows(tile))
          {
            energy += finish_product(apply, tiles.first_row[tile],
                                     carried + tiles.head[tile]);
            carried = Number(0);
          }
        carried += tiles.open[tile];
      }
    if (apply.sum.result != nullptr)
      *apply.sum.result += energy;
  }
} // namespace tessera

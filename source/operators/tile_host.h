#pragma once

#include "row_operator.cuh"
#include "tile_kernels.h"

namespace tessera
{
  /// On the host: calls `work(tile)`, which returns its part of x . A x, for
  /// all tiles, and then finishes the rows that they end first.
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

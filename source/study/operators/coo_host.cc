#include "../../operators/tile_host.h"
#include "coo_kernels.h"

namespace tessera
{
  template <class Number, class Target, IfHost<Target>>
  void
  apply_coo(Target, const CooApply<Number> &apply, Stream)
  {
    const TileSums<Number> &tiles = apply.tiles;
    for_each_tile(apply.rows, tiles, [&](const int tile) {
      const std::int64_t end = tiles.entry(tile + 1);
      Number sum             = Number(0);
      double energy          = 0;
      for (std::int64_t k = tiles.entry(tile); k < end; ++k)
        {
          const int row = apply.row_of[k];
          sum += apply.values[k] * apply.rows.x[apply.columns[k]];
          if (k + 1 < tiles.n_entries && apply.row_of[k + 1] == row)
            continue;
          if (row == tiles.first_row[tile])
            tiles.head[tile] = sum;
          else
            energy += finish_product(apply.rows, row, sum);
          sum = Number(0);
        }
      tiles.open[tile] = sum;
      return energy;
    });
  }

  template void
  apply_coo<double>(TESSERA_ISA, const CooApply<double> &, Stream);
  template void
  apply_coo<float>(TESSERA_ISA, const CooApply<float> &, Stream);
} // namespace tessera

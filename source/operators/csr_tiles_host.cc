#include "csr_entries_host.h"
#include "csr_tiles_kernels.h"
#include "tile_host.h"

namespace tessera
{
  template <class Number, class Offset, class Target, IfHost<Target>>
  void
  apply_csr_tiles(Target, const CsrTilesApply<Number, Offset> &apply, Stream)
  {
    const TileSums<Number> &tiles = apply.tiles;
    for_each_tile(apply.rows, tiles, [&](const int tile) {
      std::int64_t k  = tiles.entry(tile);
      const auto next = [&](const std::int64_t end) {
        const Number sum = sum_entries(apply.values + k, apply.columns + k,
                                       apply.rows.x, end - k);
        k                = end;
        return sum;
      };
      const int first = tiles.first_row[tile], last = tiles.first_row[tile + 1];
      if (first < last)
        tiles.head[tile] = next(apply.row_start[first + 1]);
      const double energy =
        finish_products(apply.rows, [&](const auto &finish) {
          for (int row = first + 1; row < last; ++row)
            finish(row, next(apply.row_start[row + 1]));
        });
      tiles.open[tile] = next(tiles.entry(tile + 1));
      return energy;
    });
  }

#define INSTANTIATE(Number, Offset)              \
  template void apply_csr_tiles<Number, Offset>( \
    TESSERA_ISA, const CsrTilesApply<Number, Offset> &, Stream);
  INSTANTIATE(double, std::int32_t)
  INSTANTIATE(double, std::int64_t)
  INSTANTIATE(float, std::int32_t)
  INSTANTIATE(float, std::int64_t)
#undef INSTANTIATE
} // namespace tessera

#include <tessera/base/global_thread.cuh>

#include "tile_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::tile_threads;

    /// Computes the first row of a tile, and how many entries this row has
    /// before the tile, with one thread per tile.
    template <class Offset>
    TESSERA_KERNEL(threads, 1)
    void first_rows(TESSERA_ARGUMENT(TilePlaces<Offset>) places)
    {
      const std::int64_t thread = global_thread<threads>();
      if (thread > places.n_tiles)
        return;
      const int tile         = static_cast<int>(thread);
      const int row          = find_first_row(places, tile);
      places.first_row[tile] = row;
      places.begun[tile] =
        row < places.n_rows
          ? static_cast<int>(first_entry(tile, places.size, row,
                                         places.cut == TileCut::merge_path,
                                         places.n_entries) -
                             places.row_start[row])
          : 0;
    }
  } // namespace

  template <class Offset>
  void
  find_first_rows_on_device(const TilePlaces<Offset> &places)
  {
    launch(first_rows<Offset>,
           shape_of_threads<threads>(std::int64_t(places.n_tiles) + 1), {},
           places);
  }

  template void
  find_first_rows_on_device(const TilePlaces<std::int32_t> &);
  template void
  find_first_rows_on_device(const TilePlaces<std::int64_t> &);
} // namespace tessera

#include <tessera/base/global_thread.cuh>

#include "row_operator.cuh"
#include "tile_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::tile_threads;

    /// Tiles before that a thread looks at by itself.
    constexpr int near = 8;

    /// A thread a tile.
    template <class Offset>
    TESSERA_KERNEL(threads, 1)
    void first_rows(TESSERA_ARGUMENT(TilePlaces<Offset>) places)
    {
      const std::int64_t tile = global_thread<threads>();
      if (tile <= places.n_tiles)
        places.first_row[tile] = find_first_row(places, static_cast<int>(tile));
    }

    /// A thread a tile: to its part of the row that it ends first it adds what
    /// the tiles before have left of that row, the nearest first. Where these
    /// are many, which is so for very long rows alone, the whole block adds
    /// them. The order of additions is fixed. Bytes a tile: 4 for its first
    /// row, 16 for parts (double), and those of a row.
    template <class Number>
    TESSERA_KERNEL(threads, 1)
    void finish(TESSERA_ARGUMENT(RowApply<Number>) apply,
                TESSERA_ARGUMENT(TileSums<Number>) tiles)
    {
      TESSERA_SHARED bool goes_far[threads];
      TESSERA_SHARED int n_far;
      const int thread = device::thread_index();
      const int first  = threads * device::block_index();
      const int tile   = first + thread;
      if (thread == 0)
        n_far = 0;
      device::barrier();

      Number energy = Number(0);
      bool far      = false;
      if (tile < tiles.n_tiles && tiles.ends_rows(tile))
        {
          const int row = tiles.first_row[tile];
          Number sum    = tiles.head[tile];
          int from      = tile;
          for (; from > 0 && from > tile - near && tiles.first_row[from] == row;
               --from)
            sum += tiles.open[from - 1];
          far = from > 0 && tiles.first_row[from] == row;
          if (!far)
            energy += finish_product(apply, row, sum);
        }
      goes_far[thread] = far;
      if (far)
        device::atomic_add(&n_far, 1);
      device::barrier();

      if (n_far > 0)
        for (int t = 0; t < threads; ++t)
          if (goes_far[t])
            {
              const int row = tiles.first_row[first + t];
              Number part   = Number(0);
              for (int from = first + t - thread;
                   from > 0 && tiles.first_row[from] == row; from -= threads)
                part += tiles.open[from - 1];
              const Number sum = device::block_sum<threads>(part);
              if (thread == 0)
                energy +=
                  finish_product(apply, row, sum + tiles.head[first + t]);
            }
      if (apply.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(), apply.sum);
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

  int
  finish_blocks(const int n_tiles)
  {
    return static_cast<int>(shape_of_threads<threads>(n_tiles).n_blocks);
  }

  template <class Number>
  void
  finish_tiles(RowApply<Number> apply, const TileSums<Number> &tiles,
               const Stream stream)
  {
    apply.sum.partial += tiles.n_tiles;
    launch(finish<Number>, shape_of_threads<threads>(tiles.n_tiles), stream,
           apply, tiles);
  }

  template void
  finish_tiles(RowApply<double>, const TileSums<double> &, Stream);
  template void
  finish_tiles(RowApply<float>, const TileSums<float> &, Stream);
} // namespace tessera

#include "../../operators/tile_operator.cuh"
#include "coo_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::tile_threads;
    constexpr int values  = tuning::coo_values;

    /// y = A x or y += A x for coordinates, and the sum x . A x if requested.
    ///
    /// A block works on a tile of threads * `values` entries. Neighbouring
    /// threads form the products of neighbouring entries and mark entries that
    /// end a row. Then every thread sums `values` products, and a segmented
    /// scan combines pieces of rows. A row is stored by the thread that has its
    /// last entry. If there are empty rows, all rows of the tile are zeroed
    /// first by neighbouring threads, unless y is added to. Repeatable.
    ///
    /// Bytes per entry: 16 in double, 12 in float, and x. Per row: y, and x
    /// once more if x . A x is requested. Per tile: 8, and the parts of long
    /// rows that are handed over.
    template <class Number>
    TESSERA_KERNEL(threads, tuning::coo_blocks)
    void coo(TESSERA_ARGUMENT(CooApply<Number>) apply)
    {
      TESSERA_SHARED Segments<threads, values, Number> shared;
      const int thread = device::thread_index();
      shared.clear_ends();
      device::barrier();

      const int tile = device::block_index();
      const Neighbours<threads, Number> neighbours(apply.tiles, tile);
      double energy            = 0;
      const std::int64_t start = apply.tiles.entry(tile);
      const std::int64_t left  = apply.tiles.n_entries - start;
      const int n =
        left < threads * values ? static_cast<int>(left) : threads * values;
      // The row of every entry; the last lane also has the row of the next one.
      int row[values], behind[values];
      TESSERA_UNROLL_BY(values)
      for (int j = 0; j < values; ++j)
        {
          const int k = j * threads + thread;
          row[j]    = k < n ? device::load_once(apply.row_of + start + k) : -1;
          behind[j] = thread % 32 == 31 && k + 1 < left
                        ? read_only(apply.row_of + start + k + 1)
                        : -1;
        }
      const int first     = read_only(apply.tiles.first_row + tile);
      const int last      = read_only(apply.tiles.first_row + tile + 1);
      const Number before = form_products<threads, values>(
        apply.columns, apply.values, apply.rows.x, start, n,
        neighbours.n_repeated(),
        [&]() {
          if (apply.zeroes)
            for (int r = first + thread; r < last; r += threads)
              apply.rows.y[r] = Number(0);
        },
        [&](const int k, const Number product) {
          shared.product(k) = product;
        });
      shared.repeated.leave(before, neighbours.n_repeated());
      unsigned int ends = 0;
      TESSERA_UNROLL_BY(values)
      for (int j = 0; j < values; ++j)
        {
          const int k    = j * threads + thread;
          const int next = device::shuffle_down(row[j], 1);
          if (k < n && row[j] != (thread % 32 == 31 ? behind[j] : next))
            {
              ends |= 1u << j;
              shared.mark_end(k);
            }
        }
      device::barrier();
      shared.sum_up(neighbours);

      const Number back =
        last > first ? neighbours.look_back(threads * values) : Number(0);
      TESSERA_UNROLL_BY(values)
      for (int j = 0; j < values; ++j)
        if (ends >> j & 1u)
          {
            Number sum = shared.product(j * threads + thread);
            if (row[j] == first)
              sum += back;
            energy += finish_product(apply.rows, row[j], sum);
          }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, tile, apply.rows.sum);
    }
  } // namespace

  int
  coo_tile()
  {
    return threads * values;
  }

  template <class Number>
  void
  apply_coo(Cuda, const CooApply<Number> &apply, const Stream stream)
  {
    launch(coo<Number>, {apply.tiles.n_tiles, threads}, stream, apply);
  }

  template void
  apply_coo<double>(Cuda, const CooApply<double> &, Stream);
  template void
  apply_coo<float>(Cuda, const CooApply<float> &, Stream);
} // namespace tessera

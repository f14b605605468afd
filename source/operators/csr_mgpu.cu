#include <tessera/base/on_constant.h>

#include "csr_tiles_kernels.h"
#include "tile_operator.cuh"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::tile_threads;
    constexpr int ahead   = tuning::tile_rows_ahead;

    /// y = A x or y += A x by segmented scans (WongKuhlDarve2015, section 4,
    /// ModernGPU), and the sum x . A x if requested.
    ///
    /// A block works on a tile of threads * values entries. Neighbouring
    /// threads form the products of neighbouring entries and mark where the
    /// rows of the tile end. Then every thread scans `values` products in
    /// shared memory, one after the other, and a segmented scan combines pieces
    /// of rows. Neighbouring threads store neighbouring rows, including empty
    /// ones. Repeatable.
    ///
    /// Bytes per entry: 12 in double, 8 in float, and x. Per row: 4 or 8 for
    /// its start, y, and x once more if x . A x is requested. Per tile: 8, and
    /// the parts of long rows that are handed over.
    template <int values, class Number, class Offset>
    TESSERA_KERNEL(threads, tuning::csr_mgpu_blocks<values>)
    void csr_mgpu(TESSERA_ARGUMENT(CsrTilesApply<Number, Offset>) apply)
    {
      TESSERA_SHARED Segments<threads, values, Number> shared;
      const int thread = device::thread_index();
      shared.clear_ends();
      device::barrier();

      const int tile = device::block_index();
      const Neighbours<threads, Number> neighbours(apply.tiles, tile);
      double energy    = 0;
      const auto start = static_cast<Offset>(apply.tiles.entry(tile));
      const int n      = static_cast<int>(apply.tiles.entry(tile + 1) - start);
      const int first  = read_only(apply.tiles.first_row + tile);
      const int last   = read_only(apply.tiles.first_row + tile + 1);
      // Returns the position in the tile of the last entry of a row, or -1 if
      // the row is empty.
      const auto last_entry = [&](const int row) {
        const Offset end = read_only(apply.row_start + row + 1);
        return end > read_only(apply.row_start + row)
                 ? static_cast<int>(end - 1 - start)
                 : -1;
      };
      const int own = first + thread;
      // The last entries of the thread's first rows; in most tiles it has no
      // others.
      int own_entries[ahead];
      const auto for_own_rows = [&](const auto &work) {
        TESSERA_UNROLL_BY(ahead)
        for (int i = 0; i < ahead; ++i)
          if (own + i * threads < last)
            work(own + i * threads, own_entries[i]);
        for (int row = own + ahead * threads; row < last; row += threads)
          work(row, last_entry(row));
      };
      const Number before = form_products<threads, values>(
        apply.columns, apply.values, apply.rows.x, start, n,
        neighbours.n_repeated(),
        [&]() {
          TESSERA_UNROLL_BY(ahead)
          for (int i = 0; i < ahead; ++i)
            {
              const int row  = own + i * threads;
              own_entries[i] = row < last ? last_entry(row) : -1;
            }
        },
        [&](const int k, const Number product) {
          shared.product(k) = product;
        });
      shared.repeated.leave(before, neighbours.n_repeated());
      for_own_rows([&](const int, const int k) {
        if (k >= 0)
          shared.mark_end(k);
      });
      device::barrier();
      shared.sum_up(neighbours);

      const Number back =
        last > first ? neighbours.look_back(threads * values) : Number(0);
      for_own_rows([&](const int row, const int k) {
        Number sum = k >= 0 ? shared.product(k) : Number(0);
        if (row == first)
          sum += back;
        energy += finish_product(apply.rows, row, sum);
      });
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, tile, apply.rows.sum);
    }
  } // namespace

  int
  csr_mgpu_tile(const int values_per_thread)
  {
    return threads * values_per_thread;
  }

  template <class Number, class Offset>
  void
  apply_csr_mgpu(const CsrTilesApply<Number, Offset> &apply,
                 const Stream stream)
  {
    on_constant<4, 6, 8, 10, 12, 16>(
      apply.values_per_thread, [&](const auto values) {
        launch(csr_mgpu<decltype(values)::value, Number, Offset>,
               {apply.tiles.n_tiles, threads}, stream, apply);
      });
  }

#define INSTANTIATE(Number, Offset)             \
  template void apply_csr_mgpu<Number, Offset>( \
    const CsrTilesApply<Number, Offset> &, Stream);
  INSTANTIATE(double, std::int32_t)
  INSTANTIATE(double, std::int64_t)
  INSTANTIATE(float, std::int32_t)
  INSTANTIATE(float, std::int64_t)
#undef INSTANTIATE
} // namespace tessera

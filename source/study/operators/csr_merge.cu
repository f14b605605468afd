#include "../../operators/tile_operator.cuh"
#include "csr_merge_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::tile_threads;
    constexpr int items   = tuning::csr_merge_items;
    constexpr int ahead   = tuning::tile_rows_ahead;

    /// y = A x or y += A x along the merge path (Merrill and Garland 2016), and
    /// the sum x . A x if requested.
    ///
    /// A block works on threads * items entries and row ends of the merge path.
    /// Neighbouring threads form the products of neighbouring entries. Then
    /// every thread finds by bisection where its items begin and walks along
    /// the path: for an entry it adds a product, for a row end it stores the
    /// sum behind the products. A segmented scan combines pieces of rows, and
    /// neighbouring threads store neighbouring rows. Repeatable.
    ///
    /// Bytes per entry: 12 in double, 8 in float, and x. Per row: 4 or 8 for
    /// its start, y, and x once more if x . A x is requested. Per tile: 8, and
    /// the parts of long rows that are handed over.
    template <class Number, class Offset>
    TESSERA_KERNEL(threads, tuning::csr_merge_blocks)
    void csr_merge(TESSERA_ARGUMENT(CsrTilesApply<Number, Offset>) apply)
    {
      // Products of entries, then sums of rows.
      TESSERA_SHARED Number sums[threads * items];
      TESSERA_SHARED int ends[threads * items + 1]; // ends of rows
      TESSERA_SHARED RepeatedSum<threads, Number> repeated;
      const int thread = device::thread_index();
      const int tile   = device::block_index();
      const Neighbours<threads, Number> neighbours(apply.tiles, tile);
      double energy    = 0;
      const auto start = static_cast<Offset>(apply.tiles.entry(tile));
      const int n_entries =
        static_cast<int>(apply.tiles.entry(tile + 1) - start);
      const int first   = read_only(apply.tiles.first_row + tile);
      const int n_rows  = read_only(apply.tiles.first_row + tile + 1) - first;
      const auto end_of = [&](const int row) {
        return static_cast<int>(read_only(apply.row_start + first + row + 1) -
                                start);
      };
      int own_ends[ahead]; // ends of the first rows, in most tiles of all
      const Number before_tile = form_products<threads, items>(
        apply.columns, apply.values, apply.rows.x, start, n_entries,
        neighbours.n_repeated(),
        [&]() {
          TESSERA_UNROLL_BY(ahead)
          for (int i = 0; i < ahead; ++i)
            {
              const int row = i * threads + thread;
              own_ends[i]   = row < n_rows ? end_of(row) : 0;
            }
        },
        [&](const int k, const Number product) {
          if (k < n_entries)
            sums[k] = product;
        });
      repeated.leave(before_tile, neighbours.n_repeated());
      TESSERA_UNROLL_BY(ahead)
      for (int i = 0; i < ahead; ++i)
        if (const int row = i * threads + thread; row < n_rows)
          ends[row] = own_ends[i];
      for (int row = ahead * threads + thread; row < n_rows; row += threads)
        ends[row] = end_of(row);
      if (thread == 0)
        ends[n_rows] = n_entries; // end of the open row
      device::barrier();

      const int n           = n_entries + n_rows;
      const int piece       = items * piece_of_thread<threads>();
      const int begin       = piece < n ? piece : n;
      const int first_ended = rows_before<true>(ends, n_rows, n_entries, begin);
      int row = first_ended, entry = begin - first_ended;
      int end    = ends[row];
      Number sum = Number(0);
      if (piece == 0)
        sum = repeated.total(neighbours.n_repeated());
      TESSERA_UNROLL_BY(items)
      for (int i = 0; i < items; ++i)
        if (begin + i < n)
          {
            if (entry < end)
              sum += sums[entry++];
            else
              {
                sums[n_entries + row] = sum;
                sum                   = Number(0);
                end                   = ends[++row];
              }
          }
      const bool closed   = row > first_ended;
      const Number before = carry_in<threads>(sum, closed, neighbours);
      if (closed)
        sums[n_entries + first_ended] += before;
      device::barrier();

      const Number back =
        n_rows > 0 ? neighbours.look_back(threads * items) : Number(0);
      for (int r = thread; r < n_rows; r += threads)
        energy +=
          finish_product(apply.rows, first + r,
                         sums[n_entries + r] + (r == 0 ? back : Number(0)));
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, tile, apply.rows.sum);
    }
  } // namespace

  int
  csr_merge_tile()
  {
    return threads * items;
  }

  template <class Number, class Offset>
  void
  apply_csr_merge(const CsrTilesApply<Number, Offset> &apply,
                  const Stream stream)
  {
    launch(csr_merge<Number, Offset>, {apply.tiles.n_tiles, threads}, stream,
           apply);
  }

#define INSTANTIATE(Number, Offset)              \
  template void apply_csr_merge<Number, Offset>( \
    const CsrTilesApply<Number, Offset> &, Stream);
  INSTANTIATE(double, std::int32_t)
  INSTANTIATE(double, std::int64_t)
  INSTANTIATE(float, std::int32_t)
  INSTANTIATE(float, std::int64_t)
#undef INSTANTIATE
} // namespace tessera

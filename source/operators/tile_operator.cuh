#pragma once

#include <tessera/base/hand_over.cuh>
#include <tessera/base/launch.h>

#include "row_operator.cuh"
#include "tile_kernels.h"
#include "tuning.h"

// Defines how a block sums the rows of a tile. The pieces of a tile belong to
// its threads in reverse order, so the last thread has the first piece: a
// shuffle can then carry sums on to lower lanes.
namespace tessera
{
  /// Returns the piece of the tile that belongs to this thread.
  template <int threads>
  TESSERA_DEVICE int
  piece_of_thread()
  {
    return threads - 1 - device::thread_index();
  }

  /// Exchanges partial sums of rows with the tiles before and behind.
  template <int threads, class Number>
  class Neighbours
  {
    static constexpr int repeats = tuning::tile_repeats;
    static_assert(repeats <= threads, "an entry a thread");

  public:
    TESSERA_DEVICE
    Neighbours(const TileSums<Number> &tiles, const int tile)
      : tiles(tiles), tile(tile), begun(read_only(tiles.begun + tile)),
        hands_over(read_only(tiles.begun + tile + 1) > repeats)
    {}

    /// Returns the number of entries before the tile whose products it computes
    /// again.
    TESSERA_DEVICE int
    n_repeated() const
    {
      return begun <= repeats ? begun : 0;
    }

    /// Must be called by one thread as soon as the tile's part of the row that
    /// is open at its end is known.
    TESSERA_DEVICE void
    hand_over(const Number sum) const
    {
      if (hands_over)
        device::hand_over(tiles.open + tile, sum);
    }

    /// Must be called by all threads of a tile that ends rows, after
    /// `hand_over`. Returns to all of them the part of its first row that
    /// belongs to earlier tiles of `size` items each. The earlier tiles that
    /// the row passes through contain no row end, so they have `size` entries
    /// each.
    TESSERA_DEVICE Number
    look_back(const int size) const
    {
      if (begun <= repeats)
        return Number(0);
      TESSERA_SHARED Number result;
      const int n = (begun - repeats - 1) / size + 1;
      Number part = Number(0);
      for (int k = device::thread_index(); k < n; k += threads)
        part += device::take_over(tiles.open + (tile - 1 - k));
      part = device::block_sum<threads>(part);
      if (device::thread_index() == 0)
        result = part;
      device::barrier();
      return result;
    }

  private:
    const TileSums<Number> &tiles;
    int tile, begun;
    bool hands_over;
  };

  /// The sum of the products that a tile computes again, in the shared memory
  /// of the block.
  template <int threads, class Number>
  struct RepeatedSum
  {
    Number of_warp[threads / 32];

    /// Must be called by all threads with their product; only the products of
    /// the first `n` threads count. A barrier must follow.
    TESSERA_DEVICE void
    leave(Number product, const int n)
    {
      const int thread = device::thread_index();
      if (n > thread / 32 * 32)
        {
          TESSERA_UNROLL
          for (int offset = 16; offset > 0; offset /= 2)
            product += device::shuffle_down(product, offset);
          if (thread % 32 == 0)
            of_warp[thread / 32] = product;
        }
    }

    TESSERA_DEVICE Number
    total(const int n) const
    {
      Number sum = Number(0);
      TESSERA_UNROLL
      for (int warp = 0; warp < threads / 32; ++warp)
        if (n > 32 * warp)
          sum += of_warp[warp];
      return sum;
    }
  };

  /// Combines pieces of rows by a segmented scan over the block. `open` is the
  /// sum of this thread's piece behind its last row end; `closed` says whether
  /// there is a row end, and if not, `open` is the sum of the whole piece.
  /// Returns what the previous pieces contribute to the row that is open at the
  /// beginning of this piece, and hands over the part of the row that is open
  /// at the end of the tile. The scan uses shuffles and then a loop over the
  /// warps; the order of additions is fixed. Must be called once by all
  /// threads.
  template <int threads, class Number>
  TESSERA_DEVICE Number
  carry_in(const Number open, const bool closed,
           const Neighbours<threads, Number> &neighbours)
  {
    constexpr int warps = threads / 32;
    TESSERA_SHARED Number open_of_warp[warps];
    TESSERA_SHARED int closed_of_warp[warps];
    const int lane = device::thread_index() % 32;
    const int warp = device::thread_index() / 32;

    Number sum = open;
    int ends   = closed;
    TESSERA_UNROLL
    for (int offset = 1; offset < 32; offset *= 2)
      {
        const Number sum_before = device::shuffle_down(sum, offset);
        const int ends_before   = device::shuffle_down(ends, offset);
        if (lane + offset < 32 && ends == 0)
          {
            sum += sum_before;
            ends = ends_before;
          }
      }
    if (lane == 0)
      {
        open_of_warp[warp]   = sum;
        closed_of_warp[warp] = ends;
      }
    Number result    = device::shuffle_down(sum, 1);
    const int before = device::shuffle_down(ends, 1);
    device::barrier();
    if (lane == 31 || before == 0)
      {
        Number of_warps = Number(0);
        for (int w = warps - 1; w > warp; --w)
          of_warps =
            closed_of_warp[w] ? open_of_warp[w] : of_warps + open_of_warp[w];
        result = lane == 31 ? of_warps : result + of_warps;
      }
    if (device::thread_index() == 0)
      neighbours.hand_over(closed ? open : result + open);
    return result;
  }

  /// Computes the products of the entries from `start` on; there are n <=
  /// threads * values of them. Calls `keep(k, product)` for all k < threads *
  /// values, with the product 0 for missing entries. The `n_before` entries
  /// before `start` are computed as well, one per thread: a thread gets its
  /// product as the result, and other threads get 0. Neighbouring threads have
  /// neighbouring entries, and all loads of a thread are in flight together;
  /// `meanwhile()` is called once the first loads are issued.
  template <int threads, int values, class Number, class Offset,
            class Meanwhile, class Keep>
  TESSERA_DEVICE Number
  form_products(const int *columns, const Number *entries, const Number *x,
                const Offset start, const int n, const int n_before,
                const Meanwhile &meanwhile, const Keep &keep)
  {
    const int thread = device::thread_index();
    Number value[values], before      = Number(0);
    int column[values], column_before = 0;
    TESSERA_UNROLL_BY(values)
    for (int j = 0; j < values; ++j)
      {
        const int k = j * threads + thread;
        column[j]   = k < n ? device::load_once(columns + start + k) : 0;
        value[j] = k < n ? device::load_once(entries + start + k) : Number(0);
      }
    if (thread < n_before)
      {
        column_before = read_only(columns + start - n_before + thread);
        before        = read_only(entries + start - n_before + thread);
      }
    meanwhile();
    TESSERA_UNROLL_BY(values)
    for (int j = 0; j < values; ++j)
      if (j * threads + thread < n)
        value[j] *= read_only(x + column[j]);
    if (thread < n_before)
      before *= read_only(x + column_before);
    TESSERA_UNROLL_BY(values)
    for (int j = 0; j < values; ++j)
      keep(j * threads + thread, value[j]);
    return before;
  }

  /// The products of a tile of threads * values entries, and the entries that
  /// end a row, in the shared memory of a block. One word after each piece
  /// stays unused: `values` is even, and the pieces would otherwise begin in
  /// the same banks.
  template <int threads, int values, class Number>
  struct Segments
  {
    Number products[threads * (values + 1)];
    unsigned int ends[threads]; ///< bit j: entry j of a piece ends a row
    RepeatedSum<threads, Number> repeated;

    TESSERA_DEVICE Number &
    product(const int k)
    {
      return products[k + k / values];
    }

    /// Must be called once before all other functions. A barrier must follow.
    TESSERA_DEVICE void
    clear_ends()
    {
      ends[device::thread_index()] = 0;
    }

    /// Marks entry k as the end of a row. Must be called at most once per
    /// entry.
    TESSERA_DEVICE void
    mark_end(const int k)
    {
      device::atomic_add(ends + k / values, 1u << (k % values));
    }

    /// Replaces the product of the last entry of every row that ends in the
    /// tile by the sum of the row's products, including repeated ones, and
    /// hands over the part of the open row. A thread scans its piece one entry
    /// after the other. A barrier must come before, so that all products are
    /// written; the function ends with one.
    TESSERA_DEVICE void
    sum_up(const Neighbours<threads, Number> &neighbours)
    {
      const int piece         = piece_of_thread<threads>();
      Number *const p         = products + piece * (values + 1);
      const unsigned int bits = ends[piece];
      Number sum              = Number(0);
      if (piece == 0)
        sum = repeated.total(neighbours.n_repeated());
      int first = -1;
      TESSERA_UNROLL_BY(values)
      for (int j = 0; j < values; ++j)
        {
          sum += p[j];
          if (bits >> j & 1u)
            {
              p[j]  = sum;
              sum   = Number(0);
              first = first < 0 ? j : first;
            }
        }
      const Number before = carry_in<threads>(sum, first >= 0, neighbours);
      if (first >= 0)
        p[first] += before;
      device::barrier();
    }
  };
} // namespace tessera

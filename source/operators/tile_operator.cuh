#pragma once

#include <tessera/base/hand_over.cuh>
#include <tessera/base/launch.h>

#include "row_operator.cuh"
#include "tile_kernels.h"
#include "tuning.h"

// How a block sums up the rows of a tile. Its threads have pieces of it in
// reverse, the last thread the first one: sums are carried on to lower lanes.
namespace tessera
{
  /// The piece of a tile that this thread has.
  template <int threads>
  TESSERA_DEVICE int
  piece_of_thread()
  {
    return threads - 1 - device::thread_index();
  }

  /// What a tile has to do with those before and behind it.
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

    /// Entries before the tile that it forms products of once more.
    TESSERA_DEVICE int
    n_repeated() const
    {
      return begun <= repeats ? begun : 0;
    }

    /// To be called by one thread as soon as what the tile has of the row that
    /// is open at its end is known.
    TESSERA_DEVICE void
    hand_over(const Number sum) const
    {
      if (hands_over)
        device::hand_over(tiles.open + tile, sum);
    }

    /// To be called by all threads of a tile that ends rows, after the above.
    /// Returns, to all, what tiles of `size` items before this one have of its
    /// first row: those that the row goes through have no row end, and of
    /// entries they have `size`.
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

  /// The sum of repeated products; shared by a block.
  template <int threads, class Number>
  struct RepeatedSum
  {
    Number of_warp[threads / 32];

    /// All threads bring their product, the first `n` of them one that counts.
    /// A barrier after it.
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

  /// `open` is the sum of what this thread's piece has behind the last row
  /// end, where `closed` says that it has one, or all of it. Returns what the
  /// pieces before have of the row that is open at its beginning, and hands
  /// over that of the row that is open at the end of the tile. A segmented
  /// scan by shuffles and then over the warps; the order of additions is fixed.
  /// All threads take part, once.
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

  /// A block brings the entries from `start` on in, n <= threads * values of
  /// them, and calls `keep(k, product)` for all k < threads * values: those
  /// that are not there have a product of 0. Returns the product of one of the
  /// `n_before` entries before `start`, to one thread each, and 0 to others.
  /// Neighbouring threads have neighbouring entries, and all loads of a thread
  /// are in flight together; `meanwhile()` is called when the first are.
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

  /// The products of a tile of threads * values entries, and which of them end
  /// a row; shared by a block. One word in `values` is left out: pieces are of
  /// even length and would otherwise begin in the same banks.
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

    /// To be called once before all others, and a barrier after it.
    TESSERA_DEVICE void
    clear_ends()
    {
      ends[device::thread_index()] = 0;
    }

    /// Once an entry.
    TESSERA_DEVICE void
    mark_end(const int k)
    {
      device::atomic_add(ends + k / values, 1u << (k % values));
    }

    /// Puts the sum of a row's products, repeated ones and those in this tile,
    /// in the place of the last of them, for all rows that end, and hands over
    /// what is open at the end. A thread scans a piece, one entry after the
    /// other. Barriers: before, for what others have written; at its end.
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

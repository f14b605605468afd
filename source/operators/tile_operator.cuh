#pragma once

#include <tessera/base/launch.h>

#include "row_operator.cuh"
#include "tile_kernels.h"

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

  /// `open` is the sum of what this thread's piece has behind the last row
  /// end, where `closed` says that it has one, or all of it. Returns what the
  /// pieces before have of the row that is open at its beginning, and leaves in
  /// `of_tile` that of the row that is open at the end of the tile. A segmented
  /// scan by shuffles and then over the warps; the order of additions is fixed.
  /// All threads take part, once.
  template <int threads, class Number>
  TESSERA_DEVICE Number
  carry_in(const Number open, const bool closed, Number &of_tile)
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
      of_tile = closed ? open : result + open;
    return result;
  }

  /// A block brings the entries from `start` on in, n <= threads * values of
  /// them, and calls `keep(k, product)` for all k < threads * values: those
  /// that are not there have a product of 0. Neighbouring threads have
  /// neighbouring entries, and all loads of a thread are in flight together.
  template <int threads, int values, class Number, class Offset, class Keep>
  TESSERA_DEVICE void
  form_products(const int *columns, const Number *entries, const Number *x,
                const Offset start, const int n, const Keep &keep)
  {
    Number value[values];
    int column[values];
    TESSERA_UNROLL_BY(values)
    for (int j = 0; j < values; ++j)
      {
        const int k = j * threads + device::thread_index();
        column[j]   = k < n ? device::load_once(columns + start + k) : 0;
        value[j] = k < n ? device::load_once(entries + start + k) : Number(0);
      }
    TESSERA_UNROLL_BY(values)
    for (int j = 0; j < values; ++j)
      if (j * threads + device::thread_index() < n)
        value[j] *= read_only(x + column[j]);
    TESSERA_UNROLL_BY(values)
    for (int j = 0; j < values; ++j)
      keep(j * threads + device::thread_index(), value[j]);
  }

  /// The products of a tile of threads * values entries, and which of them end
  /// a row; shared by a block. One word in `values` is left out: pieces are of
  /// even length and would otherwise begin in the same banks.
  template <int threads, int values, class Number>
  struct Segments
  {
    Number products[threads * (values + 1)];
    unsigned int ends[threads]; ///< bit j: entry j of a piece ends a row

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

    /// Puts the sum of a row's products in this tile in the place of the last
    /// of them, for all rows that end, and what is open at the end into
    /// `of_tile`. A thread scans a piece, one entry after the other.
    /// Barriers: before, for what others have written; at its end.
    TESSERA_DEVICE void
    sum_up(Number &of_tile)
    {
      const int piece         = piece_of_thread<threads>();
      Number *const p         = products + piece * (values + 1);
      const unsigned int bits = ends[piece];
      Number sum              = Number(0);
      int first               = -1;
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
      const Number before = carry_in<threads>(sum, first >= 0, of_tile);
      if (first >= 0)
        p[first] += before;
      device::barrier();
    }
  };
} // namespace tessera

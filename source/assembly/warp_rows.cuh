#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/base/device.cuh>
#include <tessera/space/element.h>

// Rows of a matrix that are summed up on chip by the threads that own them, and
// written once.
namespace tessera
{
  /// Nodes in a row of a structured mesh, where shared memory has room for
  /// them.
  template <class E>
  constexpr int row_nodes = E::simplex ? (E::degree == 1 ? 16 : 40)
                            : E::dim == 2
                              ? (2 * E::degree + 1) * (2 * E::degree + 1)
                            : E::degree == 1 ? 27
                                             : 81;

  /// Entries of a row that are summed up at a time.
  template <class E, int n_components>
  constexpr int row_window =
    n_components == 1 || n_components *row_nodes<E> <= 81
      ? n_components *row_nodes<E>
      : 81;

  /// Rows of a warp: sums in shared memory, [size][stride], and lengths.
  template <int size, class Number>
  struct WarpRows
  {
    static constexpr int stride = 33; // without conflicts both ways
    Number *sums;
    int *lengths; ///< [32]
    int lane;

    TESSERA_DEVICE Number &
    sum(const int k, const int r) const
    {
      return sums[k * stride + r];
    }

    /// Whole rows that follow one another, as one piece.
    TESSERA_DEVICE void
    write_flat(Number *const to) const
    {
      int r = 0, k = lane;
      for (int place = lane;; place += 32, k += 32)
        {
          while (r < 32 && k >= lengths[r])
            k -= lengths[r++];
          if (r == 32)
            return;
          to[place] = sum(k, r);
        }
    }

    /// Entries from `begin` on, a row a lane.
    TESSERA_DEVICE void
    write_columns(const SlotSink<Number> &sink, const int first,
                  const int begin) const
    {
      const int length = lengths[lane];
      TESSERA_ROLLED
      for (int k = 0; k < size && begin + k < length; ++k)
        sink.values[sink.rows.position(first + lane, begin + k)] = sum(k, lane);
    }

    /// Entries from `begin` on, row by row.
    TESSERA_DEVICE void
    write_rows(const SlotSink<Number> &sink, const int first,
               const int begin) const
    {
      TESSERA_ROLLED
      for (int r = 0; r < 32; ++r)
        for (int k = lane; k < size && begin + k < lengths[r]; k += 32)
          sink.values[sink.rows.position(first + r, begin + k)] = sum(k, r);
    }
  };

  /// A row a thread: `contribute(row, add)` calls `add(slot, value)` for all
  /// that is to be added up. The warp then writes its rows, where `columns` is
  /// set entries of neighbouring rows side by side.
  template <class E, int n_components, int threads, bool columns, class Number,
            class Contribute>
  TESSERA_DEVICE void
  sum_rows(const SlotSink<Number> &sink, const bool flat,
           const Contribute &contribute)
  {
    constexpr int size = row_window<E, n_components>, warps = threads / 32;
    using Rows = WarpRows<size, Number>;
    TESSERA_SHARED Number sums[warps * size * Rows::stride];
    TESSERA_SHARED int lengths[threads];
    const int thread = device::thread_index(), warp = thread / 32;
    const Rows rows{sums + warp * size * Rows::stride, lengths + 32 * warp,
                    thread % 32};
    const std::int64_t first =
      32 * (static_cast<std::int64_t>(device::block_index()) * warps + warp);
    const std::int64_t n_rows = std::int64_t(n_components) * sink.n_rows;
    if (first >= n_rows)
      return;
    const std::int64_t row = first + rows.lane;
    int longest            = 1;
    for (int begin = 0; begin < longest; begin += size)
      {
        for (int k = 0; k < size; ++k)
          rows.sum(k, rows.lane) = Number(0);
        int length = 0;
        if (row < n_rows)
          contribute(static_cast<int>(row),
                     [&](const int slot, const Number value) {
                       length      = slot >= length ? slot + 1 : length;
                       const int k = slot - begin;
                       if (k >= 0 && k < size)
                         rows.sum(k, rows.lane) += value;
                     });
        lengths[thread] = length;
        longest         = static_cast<int>(0x7fffffffu -
                                   device::warp_minimum(0x7fffffffu - length));
        device::warp_synchronize();
        if constexpr (columns)
          rows.write_columns(sink, static_cast<int>(first), begin);
        else if (flat && longest <= size)
          rows.write_flat(sink.values + sink.rows.base(first));
        else
          rows.write_rows(sink, static_cast<int>(first), begin);
        device::warp_synchronize();
      }
  }
} // namespace tessera

#pragma once

#include <tessera/base/device.cuh>
#include <tessera/space/element.h>

#include "gather.cuh"

// Rows of a matrix that are summed up on chip by the threads that own them, and
// written once.
namespace tessera
{
  /// Nodes in a row of a structured mesh.
  template <class E>
  constexpr int row_nodes = E::simplex ? (E::degree == 1 ? 16 : 65)
                            : E::dim == 2
                              ? (2 * E::degree + 1) * (2 * E::degree + 1)
                              : (2 * E::degree + 1) * (2 * E::degree + 1) *
                                  (2 * E::degree + 1);

  /// Rows of a warp: sums in shared memory, [size][stride], and lengths. More
  /// threads are in flight for as much shared memory if they share rows.
  /// Thread `lane` has row lane % n_rows, as member lane / n_rows.
  template <class E, int n_components, class Number>
  struct WarpRows
  {
    static constexpr int members = gather_members<E, n_components>;
    static constexpr int n_rows  = 32 / members;
    static constexpr int stride  = n_rows + 1; // few conflicts both ways
    /// Entries of a row that are summed up at a time, in 10 KB of double.
    static constexpr int whole = n_components * row_nodes<E>;
    static constexpr int fits  = 1280 / stride;
    static constexpr int size  = whole < fits ? whole : fits;

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
          while (r < n_rows && k >= lengths[r])
            k -= lengths[r++];
          if (r == n_rows)
            return;
          to[place] = sum(k, r);
        }
    }

    /// Entries from `begin` on, entries of neighbouring rows side by side.
    TESSERA_DEVICE void
    write_columns(const SlotSink<Number> &sink, const int first,
                  const int begin) const
    {
      const int r = lane % n_rows, length = lengths[r];
      TESSERA_ROLLED
      for (int k = lane / n_rows; k < size && begin + k < length; k += members)
        sink.values[sink.rows.position(first + r, begin + k)] = sum(k, r);
    }

    /// Entries from `begin` on, row by row.
    TESSERA_DEVICE void
    write_rows(const SlotSink<Number> &sink, const int first,
               const int begin) const
    {
      TESSERA_ROLLED
      for (int r = 0; r < n_rows; ++r)
        for (int k = lane; k < size && begin + k < lengths[r]; k += 32)
          sink.values[sink.rows.position(first + r, begin + k)] = sum(k, r);
    }
  };

  /// The largest number of a warp.
  TESSERA_DEVICE int
  largest_of_warp(const int value)
  {
    return static_cast<int>(0x7fffffffu -
                            device::warp_minimum(0x7fffffffu - value));
  }

  /// Sums up rows from the shares of their cells (PartOfRow), in the order of
  /// the list of cells; the next part is loaded before a part is added. The
  /// columns of a part are different entries of the row
  /// (SlotMap::repeats_rows). The warp then writes its rows, where `columns` is
  /// set entries of neighbouring rows side by side.
  template <class Part, class E, int n_components, int threads, bool columns,
            class Slot, class Number>
  TESSERA_DEVICE void
  sum_rows(const GatherRows<Number> &in, const Slot *const slots,
           const bool flat)
  {
    const SlotSink<Number> &sink = in.sink;
    using Rows                   = WarpRows<E, n_components, Number>;
    constexpr int warps = threads / 32, size = Rows::size;
    TESSERA_SHARED Number sums[warps * size * Rows::stride];
    TESSERA_SHARED int lengths[threads];
    const int thread = device::thread_index(), warp = thread / 32;
    const Rows rows{sums + warp * size * Rows::stride, lengths + 32 * warp,
                    thread % 32};
    const std::int64_t first =
      Rows::n_rows *
      (static_cast<std::int64_t>(device::block_index()) * warps + warp);
    const std::int64_t n_rows = std::int64_t(n_components) * sink.n_rows;
    if (first >= n_rows)
      return;
    const int r = rows.lane % Rows::n_rows, member = rows.lane / Rows::n_rows;
    const std::int64_t row          = first + r;
    const std::int64_t *const start = in.start + row / n_components;
    const unsigned int *const cells = in.entries + (row < n_rows ? *start : 0);
    const int n_cells =
      row < n_rows ? static_cast<int>(start[1] - start[0]) : 0;
    const int n_all_parts = Part::n_parts * n_cells;
    // Members of a row wait for one another after each part.
    const int most =
      Rows::members > 1 ? largest_of_warp(n_all_parts) : n_all_parts;
    int longest = 1;
    for (int begin = 0; begin < longest; begin += size)
      {
        for (int k = member; k < size; k += Rows::members)
          rows.sum(k, r) = Number(0);
        int length     = 0;
        const auto add = [&](const int slot, const Number value) {
          length       = slot >= length ? slot + 1 : length;
          const int at = slot - begin;
          if (at >= 0 && at < size)
            rows.sum(at, r) += value;
        };
        // Cells are looked up two parts ahead.
        const auto cell_of = [&](const int k) {
          return k < n_all_parts ? cells[k / Part::n_parts] : 0;
        };
        unsigned int cell = cell_of(1);
        Part next{};
        if (n_all_parts > 0)
          next.load(in, slots, static_cast<int>(row), cells[0], 0, member);
        TESSERA_ROLLED
        for (int k = 0; k < most; ++k)
          {
            const Part part = next;
            if (k + 1 < n_all_parts)
              next.load(in, slots, static_cast<int>(row), cell,
                        (k + 1) % Part::n_parts, member);
            cell = cell_of(k + 2);
            if constexpr (Rows::members > 1)
              device::warp_synchronize();
            if (k < n_all_parts)
              part.add_to(add, k % Part::n_parts, member);
          }
        rows.lengths[rows.lane] = length;
        longest                 = largest_of_warp(length);
        device::warp_synchronize();
        if constexpr (Rows::members > 1)
          {
            TESSERA_UNROLL
            for (int other = 0; other < Rows::members; ++other)
              {
                const int of_other = rows.lengths[other * Rows::n_rows + r];
                length             = of_other > length ? of_other : length;
              }
            device::warp_synchronize();
            rows.lengths[rows.lane] = length;
            device::warp_synchronize();
          }
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

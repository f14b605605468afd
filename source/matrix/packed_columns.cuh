#pragma once

#include "packed_columns_kernels.h"
#include "sell.cuh"

namespace tessera
{
  TESSERA_HOST_DEVICE int
  line_bits(const std::int32_t line)
  {
    return line & ((1 << PackedColumns::base_shift) - 1);
  }

  TESSERA_HOST_DEVICE int
  line_base(const std::int32_t line)
  {
    return line >> PackedColumns::base_shift;
  }

  /// Words of a line of `bits` a lane.
  TESSERA_HOST_DEVICE int
  line_words(const int bits, const int log2_lanes)
  {
    return (bits << log2_lanes) >> 5;
  }

  /// Of the `bits` that stand in a word from bit lane * bits, modulo 32, on;
  /// of none the word is 0.
  TESSERA_HOST_DEVICE std::uint32_t
  offset_of(const std::uint32_t word, const int lane, const int bits)
  {
    return (word >> (lane * bits & 31)) & (~0u >> ((32 - bits) & 31));
  }

  /// The slice that holds a line: the last one that begins there or before.
  TESSERA_HOST_DEVICE int
  slice_of(const SellSlices &slices, const std::int64_t line)
  {
    const std::int64_t place = line << slices.log2_lanes;
    int first = 0, last = slices.n_slices;
    while (last - first > 1)
      {
        const int middle = first + (last - first) / 2;
        (slices.start[middle] <= place ? first : last) = middle;
      }
    return first;
  }

  /// Calls `f(lane, gap)` for every entry of a line.
  template <class F>
  TESSERA_HOST_DEVICE void
  for_each_gap(const PackedLines &packed, const std::int64_t line, const F &f)
  {
    const int n_lanes        = 1 << packed.slices.log2_lanes;
    const int slice          = slice_of(packed.slices, line);
    const std::int64_t place = line << packed.slices.log2_lanes;
    const std::int64_t k =
      (place - packed.slices.start[slice]) >> packed.slices.log2_lanes;
    for (int l = 0; l < n_lanes; ++l)
      {
        const SellLane lane = find_lane(packed.slices, slice, l);
        if (k >= lane.n)
          continue;
        const std::int64_t before =
          k > 0 ? packed.columns[place + l - n_lanes] : lane.row + lane.of_row;
        f(l, packed.columns[place + l] - before);
      }
  }

  TESSERA_HOST_DEVICE void
  measure_line(const PackedLines &packed, const std::int64_t line)
  {
    constexpr std::int64_t most_base = std::int64_t(1)
                                       << (31 - PackedColumns::base_shift);
    std::int64_t least = 0, most = 0;
    bool any = false;
    for_each_gap(packed, line, [&](int, const std::int64_t gap) {
      least = !any || gap < least ? gap : least;
      most  = !any || gap > most ? gap : most;
      any   = true;
    });
    int bits = 0;
    if (most > least)
      for (bits = 32 >>
                  (packed.slices.log2_lanes < 5 ? packed.slices.log2_lanes : 5);
           bits < 32 && (most - least) >> bits > 0; bits *= 2)
        ;
    if (least < -most_base || least >= most_base)
      bits = 32;
    const int base = bits == 32 ? 0 : static_cast<int>(least);
    packed.lines[line] =
      static_cast<std::int32_t>(base * (1 << PackedColumns::base_shift) + bits);
  }

  TESSERA_HOST_DEVICE void
  pack_line(const PackedLines &packed, const std::int64_t line)
  {
    const int bits = line_bits(packed.lines[line]);
    if (bits == 0)
      return;
    const std::uint32_t base   = line_base(packed.lines[line]);
    std::uint32_t *const words = packed.words + packed.first_word[line];
    for_each_gap(packed, line, [&](const int lane, const std::int64_t gap) {
      words[lane * bits >> 5] |= (static_cast<std::uint32_t>(gap) - base)
                                 << (lane * bits & 31);
    });
  }

  template <LineWork work>
  TESSERA_HOST_DEVICE void
  work_on_line(const PackedLines &packed, const std::int64_t line)
  {
    if constexpr (work == LineWork::measure)
      measure_line(packed, line);
    else
      pack_line(packed, line);
  }
} // namespace tessera

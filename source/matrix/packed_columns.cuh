#pragma once

#include "slice_lines.cuh"

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

  /// Returns the words of a line that has `bits` per lane.
  TESSERA_HOST_DEVICE int
  line_words(const int bits, const int log2_lanes)
  {
    return (bits << log2_lanes) >> 5;
  }

  /// Returns the offset of a lane: `bits` bits of the word, beginning at bit
  /// lane * bits modulo 32. Lines without bits pass the word 0.
  TESSERA_HOST_DEVICE std::uint32_t
  offset_of(const std::uint32_t word, const int lane, const int bits)
  {
    return (word >> (lane * bits & 31)) & (~0u >> ((32 - bits) & 31));
  }

  /// Calls `f(lane, gap)` for every entry of a line.
  template <class F>
  TESSERA_HOST_DEVICE void
  for_each_gap(const SliceLines &work, const std::int64_t line, const F &f)
  {
    const int n_lanes        = 1 << work.slices.log2_lanes;
    const int slice          = slice_of(work.slices, line);
    const std::int64_t place = line << work.slices.log2_lanes;
    const std::int64_t k =
      (place - work.slices.start[slice]) >> work.slices.log2_lanes;
    for (int l = 0; l < n_lanes; ++l)
      {
        const SellLane lane = find_lane(work.slices, slice, l);
        if (k >= lane.n)
          continue;
        const std::int64_t before =
          k > 0 ? work.columns[place + l - n_lanes] : lane.row + lane.of_row;
        f(l, work.columns[place + l] - before);
      }
  }

  TESSERA_HOST_DEVICE void
  work_on_line(const MeasureGaps &work, const std::int64_t line)
  {
    constexpr std::int64_t most_base = std::int64_t(1)
                                       << (31 - PackedColumns::base_shift);
    std::int64_t least = 0, most = 0;
    bool any = false;
    for_each_gap(work, line, [&](int, const std::int64_t gap) {
      least = !any || gap < least ? gap : least;
      most  = !any || gap > most ? gap : most;
      any   = true;
    });
    int bits = 0;
    if (most > least)
      for (bits =
             32 >> (work.slices.log2_lanes < 5 ? work.slices.log2_lanes : 5);
           bits < 32 && (most - least) >> bits > 0; bits *= 2)
        ;
    if (least < -most_base || least >= most_base)
      bits = 32;
    const int base = bits == 32 ? 0 : static_cast<int>(least);
    work.lines[line] =
      static_cast<std::int32_t>(base * (1 << PackedColumns::base_shift) + bits);
  }

  TESSERA_HOST_DEVICE void
  work_on_line(const PackGaps &work, const std::int64_t line)
  {
    const int bits = line_bits(work.lines[line]);
    if (bits == 0)
      return;
    const std::uint32_t base   = line_base(work.lines[line]);
    std::uint32_t *const words = work.words + work.first_word[line];
    for_each_gap(work, line, [&](const int lane, const std::int64_t gap) {
      words[lane * bits >> 5] |= (static_cast<std::uint32_t>(gap) - base)
                                 << (lane * bits & 31);
    });
  }
} // namespace tessera

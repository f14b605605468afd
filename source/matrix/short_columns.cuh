#pragma once

#include "slice_lines.cuh"

namespace tessera
{
  /// Returns the first pair of lines of a slice.
  TESSERA_HOST_DEVICE std::int64_t
  first_pair(const std::int64_t first_line, const std::int64_t slice)
  {
    return (first_line + slice + 1) >> 1;
  }

  /// Returns the place where the line bases of a slice begin.
  TESSERA_HOST_DEVICE std::int64_t
  first_line_base(const std::int64_t first_line, const std::int64_t slice)
  {
    return (first_line + 3 * slice + 3) & ~std::int64_t(3);
  }

  /// Returns the offset that a word has for the even or the odd line of a pair.
  TESSERA_HOST_DEVICE int
  short_offset(const std::uint32_t word, const bool odd)
  {
    return static_cast<int>(odd ? word >> 16 : word & 0xffffu);
  }

  /// Returns the number of lanes that have a row, even if the row has ended.
  TESSERA_HOST_DEVICE int
  used_lanes(const SellSlices &slices, const int slice)
  {
    return (slices.rows[slice + 1] - slices.rows[slice])
           << slices.log2_threads[slice];
  }

  TESSERA_HOST_DEVICE void
  work_on_line(const MeasureReach &work, const std::int64_t line)
  {
    const int *const columns = work.columns + (line << work.slices.log2_lanes);
    const int n = used_lanes(work.slices, slice_of(work.slices, line));
    int least = columns[0], most = columns[0];
    for (int lane = 1; lane < n; ++lane)
      {
        least = columns[lane] < least ? columns[lane] : least;
        most  = columns[lane] > most ? columns[lane] : most;
      }
    work.least[line] = least;
    work.most[line]  = most;
  }

  TESSERA_HOST_DEVICE void
  work_on_line(const ShortenColumns &work, const std::int64_t line)
  {
    const SellSlices &slices = work.slices;
    const int log2           = slices.log2_lanes;
    const int slice          = slice_of(slices, line);
    const std::int64_t first = slices.start[slice] >> log2;
    const std::int64_t k     = line - first;
    int base                 = work.bases[slice];
    if (base == ShortColumns::reaches_further)
      return;
    if (base == ShortColumns::base_a_line)
      {
        base                                               = work.least[line];
        work.line_bases[first_line_base(first, slice) + k] = base;
      }
    const std::int64_t word = (first_pair(first, slice) + k / 2) << log2;
    const int n             = used_lanes(slices, slice);
    for (int lane = 0; lane < n; ++lane)
      work.halves[2 * (word + lane) + k % 2] =
        static_cast<std::uint16_t>(work.columns[(line << log2) + lane] - base);
  }
} // namespace tessera

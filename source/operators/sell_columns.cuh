#pragma once

#include "../matrix/packed_columns.cuh"
#include "../matrix/short_columns.cuh"
#include "sell_kernels.h"

#include <tessera/base/device.cuh>

// Defines how a thread reads the columns of its lane of a slice.
namespace tessera
{
  /// The lane of a thread, and its position.
  struct Part : SellLane
  {
    std::int64_t slice = 0;
    int in_slice       = 0;
    std::int64_t place = 0; ///< place of its first entry
  };

  TESSERA_DEVICE Part
  find_part(const SellSlices &slices, const std::int64_t lane)
  {
    Part part;
    if (lane >= sell_lanes(slices.n_slices, slices.log2_lanes))
      return part;
    part.slice    = lane >> slices.log2_lanes;
    part.in_slice = static_cast<int>(lane - (part.slice << slices.log2_lanes));
    static_cast<SellLane &>(part) =
      find_lane(slices, part.slice, part.in_slice);
    part.place = read_only(slices.start + part.slice) + part.in_slice;
    return part;
  }

  /// Reads the columns of a lane, `ahead` lines per round. A round calls `load`
  /// next to the load of each value, `go_on` after the loads of all values, and
  /// then `column` for one line after the other. Beyond the end of the lane,
  /// `column` returns its row.
  template <class Columns, int ahead>
  class ColumnReader;

  template <int ahead>
  class ColumnReader<SellColumns, ahead>
  {
  public:
    TESSERA_DEVICE
    ColumnReader(const SellColumns &columns, const SellSlices &, const Part &)
      : columns(columns.columns)
    {}

    /// Returns the column that `column` is relative to.
    TESSERA_DEVICE int
    origin() const
    {
      return 0;
    }

    TESSERA_DEVICE void
    load(const int a, const bool inside, const std::int64_t place,
         const Part &part)
    {
      loaded[a] = inside ? device::load_once(columns + place) : part.row;
    }

    TESSERA_DEVICE void
    go_on(int, const Part &)
    {}

    TESSERA_DEVICE int
    column(const int a, bool, const Part &)
    {
      return loaded[a];
    }

  private:
    const int *columns;
    int loaded[ahead];
  };

  /// Reads PackedColumns. Lines are read one round before they are used. They
  /// tell where words stand, so words are loaded as early as columns would be.
  template <int ahead>
  class ColumnReader<PackedColumns::View, ahead>
  {
  public:
    TESSERA_DEVICE
    ColumnReader(const PackedColumns::View &columns, const SellSlices &slices,
                 const Part &part)
      : lines(columns.lines +
              ((part.place - part.in_slice) >> slices.log2_lanes)),
        words(columns.words + read_only(columns.word_start + part.slice)),
        log2_lanes(slices.log2_lanes),
        before(static_cast<std::uint32_t>(part.row + part.of_row))
    {
      read_lines(0);
    }

    TESSERA_DEVICE int
    origin() const
    {
      return 0;
    }

    TESSERA_DEVICE void
    load(int, bool, std::int64_t, const Part &)
    {}

    /// Loads the words of the round that begins with line `first`. They are
    /// loaded after all values, because these need not wait for lines.
    TESSERA_DEVICE void
    go_on(const int first, const Part &part)
    {
      TESSERA_UNROLL
      for (int a = 0; a < ahead; ++a)
        {
          line[a]        = next[a];
          const int bits = line_bits(line[a]);
          word[a]        = first + a < part.n && bits > 0
                             ? read_only(words + (part.in_slice * bits >> 5))
                             : 0u;
          words += line_words(bits, log2_lanes);
        }
      read_lines(first + ahead);
    }

    TESSERA_DEVICE int
    column(const int a, const bool inside, const Part &part)
    {
      before += static_cast<std::uint32_t>(line_base(line[a])) +
                offset_of(word[a], part.in_slice, line_bits(line[a]));
      return inside ? static_cast<int>(before) : part.row;
    }

  private:
    static_assert(2 * ahead <= PackedColumns::lines_behind,
                  "what is read behind the last line");

    TESSERA_DEVICE void
    read_lines(const int first)
    {
      TESSERA_UNROLL
      for (int a = 0; a < ahead; ++a)
        next[a] = read_only(lines + first + a);
    }

    const std::int32_t *lines;
    const std::uint32_t *words;
    int log2_lanes;
    std::uint32_t before; ///< column in the previous line
    std::int32_t line[ahead], next[ahead];
    std::uint32_t word[ahead];
  };

  /// Reads the words of ShortColumns, each of which serves two lines. The
  /// number of the slice tells where they stand, so they are loaded next to the
  /// values.
  template <int ahead>
  class WordReader
  {
  public:
    TESSERA_DEVICE
    WordReader(const ShortColumns::View &columns, const SellSlices &slices,
               const Part &part)
      : step(1 << slices.log2_lanes),
        words(columns.words +
              (first_pair((part.place - part.in_slice) >> slices.log2_lanes,
                          part.slice)
               << slices.log2_lanes) +
              part.in_slice)
    {}

    TESSERA_DEVICE void
    load(const int a, const bool inside)
    {
      if (a % 2 == 0)
        {
          word[a / 2] = inside ? device::load_once(words) : 0u;
          words += step;
        }
    }

    TESSERA_DEVICE int
    offset(const int a) const
    {
      return short_offset(word[a / 2], a % 2 != 0);
    }

  private:
    static_assert(ahead % 2 == 0, "rounds of whole pairs");

    int step;
    const std::uint32_t *words; ///< words of the next pair
    std::uint32_t word[ahead / 2];
  };

  /// Reads ShortColumns of a slice with one base.
  template <int ahead>
  class ColumnReader<ShortColumns::View, ahead>
  {
  public:
    TESSERA_DEVICE
    ColumnReader(const ShortColumns::View &columns, const SellSlices &slices,
                 const Part &part)
      : base(part.n > 0 ? read_only(columns.bases + part.slice) : 0),
        words(columns, slices, part)
    {}

    TESSERA_DEVICE int
    origin() const
    {
      return base;
    }

    TESSERA_DEVICE void
    load(const int a, const bool inside, std::int64_t, const Part &)
    {
      words.load(a, inside);
    }

    TESSERA_DEVICE void
    go_on(int, const Part &)
    {}

    TESSERA_DEVICE int
    column(const int a, const bool inside, const Part &part)
    {
      return inside ? words.offset(a) : part.row - base;
    }

  private:
    int base;
    WordReader<ahead> words;
  };

  /// Marks a slice of ShortColumns with a base for each line.
  struct ShortLines : ShortColumns::View
  {};

  template <int ahead>
  class ColumnReader<ShortLines, ahead>
  {
  public:
    TESSERA_DEVICE
    ColumnReader(const ShortLines &columns, const SellSlices &slices,
                 const Part &part)
      : bases(reinterpret_cast<const Bases *>(
          columns.line_bases +
          first_line_base((part.place - part.in_slice) >> slices.log2_lanes,
                          part.slice))),
        words(columns, slices, part)
    {}

    TESSERA_DEVICE int
    origin() const
    {
      return 0;
    }

    TESSERA_DEVICE void
    load(const int a, const bool inside, std::int64_t, const Part &)
    {
      if (a % per_load == 0)
        {
          if (inside)
            four[a / per_load] = *bases;
          ++bases;
        }
      words.load(a, inside);
    }

    TESSERA_DEVICE void
    go_on(int, const Part &)
    {}

    TESSERA_DEVICE int
    column(const int a, const bool inside, const Part &part)
    {
      return inside ? four[a / per_load].base[a % per_load] + words.offset(a)
                    : part.row;
    }

  private:
    static constexpr int per_load = ShortColumns::bases_per_load;
    static_assert(ahead % per_load == 0, "rounds of whole loads");

    struct alignas(4 * per_load) Bases
    {
      int base[per_load];
    };

    const Bases *bases;
    Bases four[ahead / per_load];
    WordReader<ahead> words;
  };
} // namespace tessera

#pragma once

#include "../matrix/packed_columns.cuh"
#include "../matrix/short_columns.cuh"
#include "sell_kernels.h"

// How the host reads the columns of a slice.
namespace tessera
{
  /// Says the columns of a slice, line after line.
  template <class Columns>
  class LineReader;

  template <>
  class LineReader<SellColumns>
  {
  public:
    template <class Apply>
    TESSERA_HOST
    LineReader(const Apply &apply, const int slice)
      : columns(apply.columns.columns + apply.slices.start[slice]),
        n_lanes(1 << apply.slices.log2_lanes)
    {}

    /// Returns the columns of the lanes in the next line.
    TESSERA_HOST const int *
    next()
    {
      const int *const line = columns;
      columns += n_lanes;
      return line;
    }

  private:
    const int *columns;
    int n_lanes;
  };

  /// Lanes in a row that are dealt with together, whatever C is: of loops of
  /// constant length the compiler makes whole vectors and nothing else.
  constexpr int lanes_at_once = 16;
  static_assert(lanes_at_once <= PackedColumns::words_behind &&
                  lanes_at_once <= ShortColumns::words_behind,
                "what is read behind the last word");

  /// The offset of a lane; of fewer than 8 bits, of one in the first word.
  template <int bits>
  TESSERA_HOST std::uint32_t
  offset_in(const std::uint32_t *const words, const int lane)
  {
    using Half = std::uint16_t __attribute__((may_alias));
    if constexpr (bits == 0)
      return 0;
    else if constexpr (bits == 8)
      return reinterpret_cast<const unsigned char *>(words)[lane];
    else if constexpr (bits == 16)
      return reinterpret_cast<const Half *>(words)[lane];
    else if constexpr (bits == 32)
      return words[lane];
    else
      return offset_of(*words, lane, bits);
  }

  /// Adds base and offsets of a line to the columns of the line before.
  /// Lanes that have ended would go on with columns that do not exist: they
  /// stay at the last one.
  template <int bits>
  TESSERA_HOST void
  add_gaps(int *const columns, const std::uint32_t *words,
           const std::uint32_t base, const std::uint32_t last,
           const int n_lanes)
  {
    constexpr bool whole = bits == 0 || bits >= 8;
    constexpr int lanes  = whole ? lanes_at_once : 32 / (bits + whole);
    for (int first = 0; first < n_lanes;
         first += lanes, words += lanes * bits / 32)
#pragma omp simd
      for (int lane = 0; lane < lanes; ++lane)
        {
          const std::uint32_t column =
            static_cast<std::uint32_t>(columns[first + lane]) + base +
            offset_in<bits>(words, lane);
          columns[first + lane] =
            static_cast<int>(column < last ? column : last);
        }
  }

  template <>
  class LineReader<PackedColumns::View>
  {
  public:
    template <class Apply>
    TESSERA_HOST
    LineReader(const Apply &apply, const int slice)
      : lines(apply.columns.lines +
              (apply.slices.start[slice] >> apply.slices.log2_lanes)),
        words(apply.columns.words + apply.columns.word_start[slice]),
        log2_lanes(apply.slices.log2_lanes),
        last(static_cast<std::uint32_t>(apply.last_column))
    {
      const SellSlices &slices = apply.slices;
      const int log2           = slices.log2_threads[slice];
      const int first          = slices.rows[slice];
      for (int some = 0; some < 1 << log2_lanes; some += lanes_at_once)
#pragma omp simd
        for (int lane = some; lane < some + lanes_at_once; ++lane)
          columns[lane] = first + (lane >> log2) + (lane & ((1 << log2) - 1));
      if (slices.permutation == nullptr)
        return;
      const int n_used = (slices.rows[slice + 1] - first) << log2;
      for (int lane = 0; lane < n_used; ++lane)
        columns[lane] +=
          slices.permutation[first + (lane >> log2)] - (first + (lane >> log2));
    }

    TESSERA_HOST const int *
    next()
    {
      const int n_lanes        = 1 << log2_lanes;
      const int bits           = line_bits(*lines);
      const std::uint32_t base = static_cast<std::uint32_t>(line_base(*lines));
      switch (bits)
        {
          case 0:
            add_gaps<0>(columns, words, base, last, n_lanes);
            break;
          case 1:
            add_gaps<1>(columns, words, base, last, n_lanes);
            break;
          case 2:
            add_gaps<2>(columns, words, base, last, n_lanes);
            break;
          case 4:
            add_gaps<4>(columns, words, base, last, n_lanes);
            break;
          case 8:
            add_gaps<8>(columns, words, base, last, n_lanes);
            break;
          case 16:
            add_gaps<16>(columns, words, base, last, n_lanes);
            break;
          default:
            add_gaps<32>(columns, words, base, last, n_lanes);
        }
      words += line_words(bits, log2_lanes);
      ++lines;
      return columns;
    }

  private:
    const std::int32_t *lines;
    const std::uint32_t *words;
    int log2_lanes;
    std::uint32_t last; ///< column
    alignas(64) int columns[SellShape::most_lanes];
  };

  template <>
  class LineReader<ShortColumns::View>
  {
  public:
    template <class Apply>
    TESSERA_HOST
    LineReader(const Apply &apply, const int slice)
      : n_lanes(1 << apply.slices.log2_lanes), base(apply.columns.bases[slice]),
        whole(apply.columns.columns + apply.slices.start[slice]),
        words(apply.columns.words +
              first_pair(apply.slices.start[slice] >> apply.slices.log2_lanes,
                         slice) *
                n_lanes),
        line_base(base == ShortColumns::base_a_line
                    ? apply.columns.line_bases +
                        first_line_base(apply.slices.start[slice] >>
                                          apply.slices.log2_lanes,
                                        slice)
                    : nullptr)
    {}

    TESSERA_HOST const int *
    next()
    {
      const int *const line = whole;
      whole += n_lanes;
      if (base == ShortColumns::reaches_further)
        return line;
      const int from = base == ShortColumns::base_a_line ? *line_base++ : base;
      odd ? add_offsets<true>(from) : add_offsets<false>(from);
      words += odd ? n_lanes : 0;
      odd = !odd;
      return columns;
    }

  private:
    template <bool of_odd>
    TESSERA_HOST void
    add_offsets(const int from)
    {
      for (int first = 0; first < n_lanes; first += lanes_at_once)
#pragma omp simd
        for (int lane = first; lane < first + lanes_at_once; ++lane)
          columns[lane] = static_cast<int>(
            static_cast<std::uint32_t>(from) + // lanes without a row
            static_cast<std::uint32_t>(short_offset(words[lane], of_odd)));
    }

    int n_lanes, base;
    const int *whole; ///< columns of the matrix
    const std::uint32_t *words;
    const int *line_base; ///< of the next line, where each has its own
    bool odd = false;     ///< the next line
    alignas(64) int columns[SellShape::most_lanes];
  };
} // namespace tessera

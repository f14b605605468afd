#pragma once

#include <tessera/matrix/sell.h>

namespace tessera
{
  /// The columns of sliced ELLPACK in fewer bits. The entries k of all lanes of
  /// a slice, C places, form a line. The column of a lane in a line is its
  /// column in the previous line plus a gap
  ///   base of the line + offset of the lane, 0 <= offset < 2^bits.
  /// For the first line, the previous column is the lane's row plus its number
  /// among the lanes of the row. The number of bits of a line is the smallest
  /// of 0, 1, 2, 4, 8, 16 or 32 that its lanes need; lanes without an entry do
  /// not count. Neighbouring rows have columns with similar gaps, so that
  /// offsets are small, and no bits are needed if all gaps of a line are equal.
  ///
  /// A line with 32 bits stores the whole gap, modulo 2^32. The bits of a line
  /// fill whole words, so that a line with any bits has at least 32 / C of them
  /// per lane.
  class PackedColumns
  {
  public:
    /// The arrays that kernels read.
    struct View
    {
      const std::int32_t *lines;  ///< see `line_bits` and `line_base`
      const std::uint32_t *words; ///< lane l of a line: from bit l * bits on
      const std::int64_t *word_start; ///< [n_slices]: first word of a slice
    };

    /// A line is encoded as one number: base 2^base_shift + bits.
    static constexpr int base_shift = 6;

    /// The number of lines behind the last one that kernels may read. They are
    /// zero.
    static constexpr int lines_behind = 32;

    /// The number of words behind the last one that kernels may read. They are
    /// zero.
    static constexpr int words_behind = 16;

    PackedColumns() = default;

    /// Packs columns, [slice][line][C], on the backend where they are stored.
    PackedColumns(Backend backend, const SellSlices &slices, const int *columns,
                  std::int64_t n_places);

    View
    view() const
    {
      return {lines.data(), words.data(), word_start.data()};
    }

    /// Returns the bytes of all arrays: 4 per line, 8 per slice, and the
    /// offsets.
    std::size_t
    bytes() const
    {
      return lines.bytes() + words.bytes() + word_start.bytes();
    }

  private:
    Array<std::int32_t> lines; ///< [n_places / C + lines_behind]
    /// The words of all lines, and words_behind more.
    Array<std::uint32_t> words;
    Array<std::int64_t> word_start; ///< [n_slices]
  };
} // namespace tessera

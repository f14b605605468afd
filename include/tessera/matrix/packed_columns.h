#pragma once

#include <tessera/matrix/sell.h>

namespace tessera
{
  /// The columns of sliced ELLPACK in fewer bits. The C places of a slice with
  /// entries k of its lanes are a line, and a lane's column is that of the line
  /// before plus
  ///   base of the line + offset of the lane, 0 <= offset < 2^bits,
  /// with the least of 0, 1, 2, 4, 8, 16 or 32 bits that the line's lanes ask
  /// for, none with an entry being left out; before the first line stands the
  /// lane's row plus its number among the row's lanes. Rows of neighbouring
  /// lanes have columns with much the same gaps, so that offsets are small, and
  /// without bits where all gaps are one.
  /// Lines with 32 bits hold the whole gap, modulo 2^32. The bits of a line
  /// fill whole words: none has less than 32 / C, if it has any.
  class PackedColumns
  {
  public:
    /// What kernels read.
    struct View
    {
      const std::int32_t *lines;      ///< see `line_bits` and `line_base`
      const std::uint32_t *words;     ///< lane l of a line: bits from l bits on
      const std::int64_t *word_start; ///< [n_slices]: of its first line
    };

    /// A line as one number: base 2^base_shift + bits.
    static constexpr int base_shift = 6;

    /// Lines behind the last one, which may be read and are zero.
    static constexpr int lines_behind = 32;

    /// Words, likewise.
    static constexpr int words_behind = 16;

    PackedColumns() = default;

    /// On the backend of the columns, [slice][line][C].
    PackedColumns(Backend backend, const SellSlices &slices, const int *columns,
                  std::int64_t n_places);

    View
    view() const
    {
      return {lines.data(), words.data(), word_start.data()};
    }

    /// 4 a line, 8 a slice, and offsets.
    std::size_t
    bytes() const
    {
      return lines.bytes() + words.bytes() + word_start.bytes();
    }

  private:
    Array<std::int32_t> lines;      ///< [n_places / C + lines_behind]
    Array<std::uint32_t> words;     ///< and `words_behind`
    Array<std::int64_t> word_start; ///< [n_slices]
  };
} // namespace tessera

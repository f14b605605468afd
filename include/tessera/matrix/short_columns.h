#pragma once

#include <tessera/matrix/sell.h>

namespace tessera
{
  /// The columns of sliced ELLPACK in 16 bits. The C places of a slice with
  /// entries k of its lanes are a line; the column at a place is
  ///   base + offset, 0 <= offset < 2^16,
  /// with one base for the slice where all its columns are within 2^16 of the
  /// least of them. Where this leaves out more than one slice of
  /// `slices_for_line_bases`, slices whose lines each are within 2^16 have a
  /// base for each line: kernels that may meet some are slower for all. Of
  /// slices that reach further the columns are read where they stand in the
  /// matrix. Padding is a place as any other, with its own row as column. Two
  /// lines share words, one for each lane, with the offset of the even line in
  /// its lower half; the first pair of slice s, whose first line is l, is pair
  /// floor((l + s + 1) / 2). Bases of lines are aligned by four: those of slice
  /// s begin at 4 floor((l + 3 s + 3) / 4).
  class ShortColumns
  {
  public:
    /// Of a slice instead of its base.
    static constexpr int reaches_further = -1, base_a_line = -2;

    /// Of so many slices more than one has to ask for bases of lines.
    static constexpr int slices_for_line_bases = 16;

    /// Bases of lines that are read together.
    static constexpr int bases_together = 4;

    /// What kernels read.
    struct View
    {
      const std::uint32_t *words; ///< [pair][C]
      const int *bases;           ///< [n_slices]
      const int *line_bases;      ///< 16-byte aligned
      const int *columns;         ///< of the matrix, [slice][line][C]
      bool with_line_bases;       ///< for any slice
    };

    /// Words behind the last one, which may be read and are zero.
    static constexpr int words_behind = 16;

    ShortColumns() = default;

    /// On the backend of the columns, which must outlive the view.
    ShortColumns(Backend backend, const SellSlices &slices, const int *columns,
                 std::int64_t n_places);

    View
    view(const int *columns) const
    {
      return {words.data(), bases.data(), line_bases.data(), columns,
              n_lines_based > 0};
    }

    /// Slices with one base, and with a base for each line.
    int
    n_with_base() const
    {
      return n_based;
    }

    int
    n_with_line_bases() const
    {
      return n_lines_based;
    }

    /// What products read: 2 a place, and half a line a slice, 4 in slices that
    /// reach further; 4 a slice, and a line of those with a base for each.
    std::size_t
    bytes() const
    {
      return bytes_read;
    }

  private:
    Array<std::uint32_t> words; ///< and `words_behind`
    Array<int> bases;           ///< [n_slices]
    Array<int> line_bases;      ///< empty where no slice has any
    int n_based = 0, n_lines_based = 0;
    std::size_t bytes_read = 0;
  };
} // namespace tessera

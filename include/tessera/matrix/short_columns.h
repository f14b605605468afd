#pragma once

#include <tessera/matrix/sell.h>

namespace tessera
{
  /// The columns of sliced ELLPACK in 16 bits. The entries k of all lanes of a
  /// slice, C places, form a line. The column at a place is
  ///   base + offset, 0 <= offset < 2^16.
  /// There are three kinds of slices:
  /// - A slice whose columns differ by less than 2^16 has one base, its
  ///   smallest column.
  /// - A slice in which only the columns of each line differ by less than 2^16
  ///   has a base for each line. This kind exists only if more than one in
  ///   `slices_for_line_bases` slices needs it, because kernels that have to
  ///   expect it are slower for all slices.
  /// - All other slices reach further: their columns are read from the matrix.
  ///
  /// Padding counts as any other place, with its own row as column. Two lines
  /// share words, one word per lane, with the offset of the even line in the
  /// lower half. The data of slice s, whose first line is l, begin at
  ///   pair floor((l + s + 1) / 2)           words
  ///   place 4 floor((l + 3 s + 3) / 4)      bases of lines, aligned by four
  class ShortColumns
  {
  public:
    /// These values replace the base of a slice that has none.
    static constexpr int reaches_further = -1, base_a_line = -2;

    /// Line bases are used if more than one in this many slices needs them.
    static constexpr int slices_for_line_bases = 16;

    /// The number of line bases that are read together.
    static constexpr int bases_per_load = 4;

    /// The arrays that kernels read.
    struct View
    {
      const std::uint32_t *words; ///< [pair][C]
      const int *bases;           ///< [n_slices]
      const int *line_bases;      ///< 16-byte aligned
      const int *columns;         ///< [slice][line][C], of the matrix
      bool with_line_bases;       ///< true if any slice has line bases
    };

    /// The number of words behind the last one that kernels may read. They are
    /// zero.
    static constexpr int words_behind = 16;

    ShortColumns() = default;

    /// Packs columns, [slice][line][C], on the backend where they are stored.
    /// Views refer to the columns, which must outlive them.
    ShortColumns(Backend backend, const SellSlices &slices, const int *columns,
                 std::int64_t n_places);

    View
    view(const int *columns) const
    {
      return {words.data(), bases.data(), line_bases.data(), columns,
              n_lines_based > 0};
    }

    /// The numbers of slices with one base, and with a base for each line.
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

    /// Returns the bytes that a product reads. A slice has 2 per place, with
    /// lines rounded up to pairs, or 4 per place if it reaches further; 4 for
    /// its base; and 4 for each line if it has line bases.
    std::size_t
    bytes() const
    {
      return bytes_read;
    }

  private:
    Array<std::uint32_t> words; ///< [pair][C], and words_behind more
    Array<int> bases;           ///< [n_slices]
    Array<int> line_bases;      ///< empty if no slice has any
    int n_based = 0, n_lines_based = 0;
    std::size_t bytes_read = 0;
  };
} // namespace tessera

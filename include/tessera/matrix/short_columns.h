#pragma once

#include <tessera/matrix/sell.h>

namespace tessera
{
  /// The columns of sliced ELLPACK in 16 bits: where all columns of a slice
  /// are within 2^16 of the least of them, its base, the column at a place is
  ///   base + offset, 0 <= offset < 2^16.
  /// The C places of a slice with entries k of its lanes are a line. Two lines
  /// share words, one for each lane, with the offset of the even line in its
  /// lower half; the first pair of slice s, whose first line is l, is pair
  /// floor((l + s + 1) / 2). Padding is a place as any other, so that its
  /// column is its own row. Of a slice that reaches further the columns are
  /// read where they stand in the matrix.
  class ShortColumns
  {
  public:
    /// The base of a slice that reaches further.
    static constexpr int reaches_further = -1;

    /// What kernels read.
    struct View
    {
      const std::uint32_t *words; ///< [pair][C]
      const int *bases;           ///< [n_slices]
      const int *columns;         ///< of the matrix, [slice][line][C]
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
      return {words.data(), bases.data(), columns};
    }

    /// Slices whose columns are in 16 bits.
    int
    n_short() const
    {
      return n_short_slices;
    }

    /// What products read: 2 a place, and half a line a slice, 4 in slices that
    /// reach further; 4 a slice.
    std::size_t
    bytes() const
    {
      return bytes_read;
    }

  private:
    Array<std::uint32_t> words; ///< and `words_behind`
    Array<int> bases;           ///< [n_slices]
    int n_short_slices     = 0;
    std::size_t bytes_read = 0;
  };
} // namespace tessera

#pragma once

#include <tessera/matrix/packed_columns.h>
#include <tessera/matrix/short_columns.h>

// How columns are stored in fewer bits: a line at a time.
namespace tessera
{
  /// Lines of slices, the C places with entries k of their lanes each.
  struct SliceLines
  {
    SellSlices slices;
    const int *columns; ///< [slice][line][C]
    std::int64_t n_lines;
  };

  /// [n_slices + 1]: first places of slices, and the end, on the host.
  std::vector<std::int64_t>
  starts_of(Backend backend, const SellSlices &slices);

  /// Base and bits of a line of PackedColumns.
  struct MeasureGaps : SliceLines
  {
    std::int32_t *lines; ///< [n_lines]
  };

  /// Its words.
  struct PackGaps : SliceLines
  {
    const std::int32_t *lines;      ///< [n_lines]
    const std::int64_t *first_word; ///< [n_lines]
    std::uint32_t *words;
  };

  /// The least and the largest column of a line.
  struct MeasureReach : SliceLines
  {
    int *least, *most; ///< [n_lines]
  };

  using Half = std::uint16_t __attribute__((may_alias));

  /// Its halves of the words of ShortColumns.
  struct ShortenColumns : SliceLines
  {
    const int *bases; ///< [n_slices]
    const int *least; ///< [n_lines]
    int *line_bases;
    Half *halves; ///< of words, the lower one first
  };

  /// One of these for every line.
  template <class Work>
  void
  go_through_lines(Backend backend, const Work &work);
} // namespace tessera

#pragma once

#include <tessera/matrix/packed_columns.h>
#include <tessera/matrix/short_columns.h>

// Columns are stored in fewer bits, line by line.
namespace tessera
{
  /// The lines of slices: a line is the C places with entries k of all lanes.
  struct SliceLines
  {
    SellSlices slices;
    const int *columns; ///< [slice][line][C]
    std::int64_t n_lines;
  };

  /// Returns, on the host, first places of slices and the end, [n_slices + 1].
  std::vector<std::int64_t>
  starts_of(Backend backend, const SellSlices &slices);

  /// Computes the base and the bits of lines of PackedColumns.
  struct MeasureGaps : SliceLines
  {
    std::int32_t *lines; ///< [n_lines]
  };

  /// Writes the words of lines of PackedColumns.
  struct PackGaps : SliceLines
  {
    const std::int32_t *lines;      ///< [n_lines]
    const std::int64_t *first_word; ///< [n_lines]
    std::uint32_t *words;
  };

  /// Computes the smallest and the largest column of lines.
  struct MeasureReach : SliceLines
  {
    int *least, *most; ///< [n_lines]
  };

  using Half = std::uint16_t __attribute__((may_alias));

  /// Writes the offsets of ShortColumns, which are halves of its words.
  struct ShortenColumns : SliceLines
  {
    const int *bases; ///< [n_slices]
    const int *least; ///< [n_lines]
    int *line_bases;
    Half *halves; ///< [2 n_words]: the lower half of a word first
  };

  /// Runs one of the structs above for every line.
  template <class Work>
  void
  go_through_lines(Backend backend, const Work &work);
} // namespace tessera

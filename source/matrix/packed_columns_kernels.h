#pragma once

#include <tessera/matrix/packed_columns.h>

// How columns are packed: a line at a time.
namespace tessera
{
  struct PackedLines
  {
    SellSlices slices;
    const int *columns;
    std::int64_t n_lines;
    std::int32_t *lines;            ///< [n_lines]
    const std::int64_t *first_word; ///< [n_lines]
    std::uint32_t *words;
  };

  enum class LineWork
  {
    measure, ///< base and bits
    pack     ///< offsets
  };

  template <LineWork work>
  void
  go_through_lines_on_device(const PackedLines &packed);
} // namespace tessera

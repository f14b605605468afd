#pragma once

#include <tessera/matrix/sell_shape.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  /// Rows cut into slices on the host, see SellMatrix. This is the reference
  /// for the implementation on the device (`make_sell_layout`).
  struct Slices
  {
    std::vector<int> sorted; ///< rows by position; empty if not reordered
    std::vector<std::int64_t> start; ///< [n_slices + 1], first places
    std::vector<int> rows; ///< [n_slices + 1], first positions of rows
    std::vector<std::uint8_t> log2_threads; ///< [n_slices]

    int
    n_slices() const
    {
      return static_cast<int>(log2_threads.size());
    }

    /// Returns the row at a position of the sorted rows.
    int
    row_at(const int place) const
    {
      return sorted.empty() ? place : sorted[place];
    }
  };

  /// Returns the smallest l with `n` <= 2^l.
  int
  log2_of(std::uint64_t n);

  /// Cuts rows with the starts `row_start`, [n_rows + 1], into slices. Throws
  /// what `check_shape` throws.
  Slices
  make_slices(const std::vector<std::int64_t> &row_start,
              const SellShape &shape);
} // namespace tessera

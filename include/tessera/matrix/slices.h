#pragma once

#include <tessera/matrix/sell_shape.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  /// Rows cut into slices on the host, see SellMatrix; what the device does is
  /// held to it (`make_sell_layout`).
  struct Slices
  {
    std::vector<int> sorted;         ///< rows by place; empty: each at its own
    std::vector<std::int64_t> start; ///< [n_slices + 1], places
    std::vector<int> rows;           ///< [n_slices + 1], sorted rows
    std::vector<std::uint8_t> log2_threads; ///< [n_slices]

    int
    n_slices() const
    {
      return static_cast<int>(log2_threads.size());
    }

    /// The row that stands at that place.
    int
    row_at(const int place) const
    {
      return sorted.empty() ? place : sorted[place];
    }
  };

  /// The least l with `n` <= 2^l.
  int
  log2_of(std::uint64_t n);

  /// Of rows with starts `row_start`, [n_rows + 1]. Throws what `check_shape`
  /// throws.
  Slices
  make_slices(const std::vector<std::int64_t> &row_start,
              const SellShape &shape);
} // namespace tessera

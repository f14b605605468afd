#pragma once

#include <string>

namespace tessera
{
  /// How rows are laid out in slices.
  struct SellShape
  {
    /// C: lanes of a slice, a power of two up to `most_lanes`.
    int lanes = 32;

    /// Sigma: that many rows are sorted among themselves, longer ones first; 1:
    /// none; 0: all.
    int window = 1;

    /// T: lanes of a row, a power of two up to C and 32.
    int threads_per_row = 1;

    /// If not 0, T is chosen for every slice, from `threads_per_row` on:
    /// doubled until no lane has more entries, or T is as large as it gets.
    int threshold = 0;

    /// All slices as wide as the widest.
    bool one_width = false;

    bool
    operator==(const SellShape &other) const
    {
      return lanes == other.lanes && window == other.window &&
             threads_per_row == other.threads_per_row &&
             threshold == other.threshold && one_width == other.one_width;
    }

    static constexpr int most_lanes   = 256;
    static constexpr int most_threads = 32;
    static constexpr int all_rows     = 0;
  };

  /// Throws ParameterError naming what is legal.
  void
  check_shape(const SellShape &shape);

  /// In what type `sell_packed` and `sell_short` store values.
  enum class SliceValues
  {
    number,      ///< that of the vectors
    single_float ///< 4 bytes; products and sums are of the vectors' type
  };

  /// "number" or "float".
  std::string
  to_string(SliceValues values);

  /// Throws ParameterError naming the legal values.
  SliceValues
  slice_values_from_string(const std::string &name);
} // namespace tessera

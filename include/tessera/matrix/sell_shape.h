#pragma once

#include <string>

namespace tessera
{
  /// The parameters of sliced ELLPACK; see SellMatrix.
  struct SellShape
  {
    /// C: the number of lanes of a slice, a power of two up to `most_lanes`.
    int lanes = 32;

    /// Sigma: the number of rows that are sorted among themselves, longer ones
    /// first; 1 for no sorting, 0 for all rows.
    int window = 1;

    /// T: the number of lanes per row, a power of two up to C and 32.
    int threads_per_row = 1;

    /// If not 0, T is chosen for every slice: it starts from `threads_per_row`
    /// and is doubled until no lane has more than `threshold` entries or T is
    /// maximal.
    int threshold = 0;

    /// If true, all slices are as wide as the widest one.
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

  /// Throws ParameterError for an illegal shape, naming the legal values.
  void
  check_shape(const SellShape &shape);

  /// The type in which `sell_packed` and `sell_short` store values.
  enum class SliceValues
  {
    number,      ///< the type of the vectors
    single_float ///< 4 bytes; sums keep the type of the vectors
  };

  /// Returns "number" or "float".
  std::string
  to_string(SliceValues values);

  /// Inverse of `to_string`. Throws ParameterError naming the legal values.
  SliceValues
  slice_values_from_string(const std::string &name);
} // namespace tessera

#pragma once

#include <tessera/matrix/sell_layout.h>

#include <cstdint>

// The device sorts rows and cuts them into slices; see SellMatrix.
namespace tessera
{
  /// Consecutive slices whose rows have the same number of threads.
  struct SliceGroup
  {
    int first_slice;
    int first_row; ///< among the sorted rows
    int log2_threads;
  };

  /// All slices, described by groups.
  struct SliceGroups
  {
    static constexpr int most_groups = 6; ///< T = 1, 2, ..., 32

    int n_rows;
    int log2_lanes; ///< lanes of a slice
    int n_groups;
    int n_slices;
    int n_cut;  ///< rows that are in slices so far
    int widest; ///< width of the widest slice
    SliceGroup groups[most_groups];

    /// Cuts slices with 2^log2_threads threads per row until all rows before
    /// `end` are in slices; the last slice may go on beyond it. `longest` is
    /// the length of the longest of these rows.
    TESSERA_HOST_DEVICE void
    append(const int log2_threads, const int end, const int longest)
    {
      if (end <= n_cut)
        return;
      const int log2_rows    = log2_lanes - log2_threads;
      const std::int64_t one = 1;
      const auto count =
        static_cast<int>((end - n_cut + (one << log2_rows) - 1) >> log2_rows);
      const auto width =
        static_cast<int>((longest + (one << log2_threads) - 1) >> log2_threads);
      const std::int64_t cut =
        n_cut + (static_cast<std::int64_t>(count) << log2_rows);
      groups[n_groups] = {n_slices, n_cut, log2_threads};
      ++n_groups;
      n_slices += count;
      n_cut  = static_cast<int>(cut < n_rows ? cut : n_rows);
      widest = width > widest ? width : widest;
    }
  };

  /// The smallest T from 2^log2_least to 2^log2_most that a threshold allows.
  struct SliceThreshold
  {
    int entries; ///< most entries of a lane
    int log2_least;
    int log2_most;
  };

  /// Cuts rows that are all sorted, with keys in ascending order. `none` is
  /// without slices; *result is `none` with all groups appended.
  void
  cut_groups(const std::uint32_t *keys, int longest,
             const SliceThreshold &threshold, const SliceGroups &none,
             SliceGroups *result);

  /// The arrays of slices. Those without a comment are as in SellSlices.
  struct SlicesToFill
  {
    const std::int32_t *lengths;
    const int *permutation; ///< null if rows are in their own order
    int log2_readers;       ///< threads per slice, at most a warp
    bool one_width;
    int *widths;                ///< [n_slices]
    int *rows;                  ///< [n_slices + 1], must be zero
    std::uint8_t *log2_threads; ///< [n_slices]
  };

  void
  fill_slices(const SliceGroups &groups, const SlicesToFill &to);

  /// What assembly and the placing of columns ask of rows, [n_rows] each.
  struct RowsOfSlices
  {
    std::int64_t *base;
    std::uint8_t *log2_threads;
    std::int32_t *widths; ///< places of rows
  };

  /// Fills the arrays of rows with 2^log2_readers threads per slice.
  void
  fill_rows_on_device(const SellSlices &slices, const RowsOfSlices &to,
                      int log2_readers);
} // namespace tessera

#pragma once

#include <tessera/matrix/sell_layout.h>

#include <cstdint>

// How the device sorts rows and cuts them into slices, see SellMatrix.
namespace tessera
{
  /// What rows are sorted by: window and, within one, how much shorter they are
  /// than the longest row, keys[i] = (i / window) (longest + 1) + longest -
  /// lengths[i].
  template <class Key>
  struct RowKeys
  {
    int n_rows;
    int window;
    int longest; ///< entries of the longest row
    const std::int32_t *lengths;
    Key *keys;     ///< [n_rows]
    int *rows;     ///< [n_rows]: 0, 1, 2, ...
    int *unsorted; ///< set to 1 where a key is less than the one before
  };

  template <class Key>
  void
  make_keys(const RowKeys<Key> &to);

  /// Slices whose rows have equally many threads; they follow one another.
  struct SliceGroup
  {
    int first_slice;
    int first_row; ///< of the sorted ones
    int log2_threads;
  };

  /// All slices, in closed form.
  struct SliceGroups
  {
    static constexpr int most_groups = 6; ///< T = 1, 2, ..., 32

    int n_rows;
    int log2_lanes; ///< of a slice
    int n_groups;
    int n_slices;
    int n_cut;  ///< rows that are in slices
    int widest; ///< width of the widest slice
    SliceGroup groups[most_groups];

    /// Cuts slices of 2^log2_threads threads a row until rows before `end` are
    /// in some: the last one goes on behind it. `longest`: entries of the
    /// longest of their rows.
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

  /// The choice of T by a threshold, from 2^least to 2^most.
  struct SliceThreshold
  {
    int entries; ///< of a lane, at most
    int log2_least;
    int log2_most;
  };

  /// Cuts rows that are all sorted, with keys in ascending order: *result =
  /// `none`, without slices, and what comes of them.
  void
  cut_groups(const std::uint32_t *keys, int longest,
             const SliceThreshold &threshold, const SliceGroups &none,
             SliceGroups *result);

  /// Arrays of slices. Those not named here are as in SellSlices.
  struct SlicesToFill
  {
    const std::int32_t *lengths;
    const int *permutation; ///< or null
    int log2_readers;       ///< threads of a slice, at most a warp
    bool one_width;
    int *widths;                ///< [n_slices]
    int *rows;                  ///< [n_slices + 1], zero
    std::uint8_t *log2_threads; ///< [n_slices]
  };

  void
  fill_slices(const SliceGroups &groups, const SlicesToFill &to);

  /// What assembly and the placing of columns ask of rows, [n_rows] each.
  struct RowsOfSlices
  {
    std::int64_t *base;
    std::uint8_t *log2_threads;
    std::int32_t *widths; ///< places
  };

  /// By 2^log2_readers threads a slice.
  void
  fill_rows_on_device(const SellSlices &slices, const RowsOfSlices &to,
                      int log2_readers);
} // namespace tessera

#pragma once

#include <tessera/matrix/row_coloring.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  /// The number of rows of a slice, which are the lanes of a warp.
  constexpr int slice_rows = 32;

  /// The rows sorted by colour, in slices of 32 places. Colour c has the slices
  /// from first_slice[c] to first_slice[c + 1], without the last. If a colour
  /// does not fill its last slice, the remaining places are unused.
  struct ColorOrder
  {
    std::vector<int> first_slice; ///< [n_colors + 1]
    std::vector<int> place;       ///< [n_rows]

    int
    n_colors() const
    {
      return static_cast<int>(first_slice.size()) - 1;
    }

    int
    n_slices() const
    {
      return first_slice.back();
    }

    int
    n_places() const
    {
      return slice_rows * n_slices();
    }

    /// Returns the number of slices of a colour.
    int
    n_slices(const int color) const
    {
      return first_slice[color + 1] - first_slice[color];
    }

    /// Returns the row at every place, [n_places]; -1 for unused places.
    std::vector<int>
    rows() const;

    /// Returns the colour of every row, [n_rows].
    std::vector<int>
    colors() const;
  };

  /// Sorts rows by colour. Within a colour, rows with a larger first key come
  /// first, then rows with a larger second key, then rows with a smaller index.
  /// Both keys have n_rows values, which must not be negative. Throws MeshError
  /// if the number of places does not fit 32 bits.
  ColorOrder
  order_by_color(const RowColoring &coloring, const std::vector<int> &first,
                 const std::vector<int> &second);

  /// Returns start[s] = sum over the slices before s of the largest `count` of
  /// their rows.
  std::vector<std::int64_t>
  slice_starts(const ColorOrder &order, const std::vector<int> &count);
} // namespace tessera

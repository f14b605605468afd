#pragma once

#include <tessera/matrix/row_coloring.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  /// Rows of a slice: the lanes of a warp.
  constexpr int slice_rows = 32;

  /// Rows by colour, in slices of 32 places. The slices of colour c are
  /// first_slice[c] to first_slice[c + 1]; where a colour does not fill its
  /// last one, places are left over.
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

    /// The number of slices of a colour.
    int
    n_slices(const int color) const
    {
      return first_slice[color + 1] - first_slice[color];
    }

    /// [n_places] the row of a place, -1 where there is none.
    std::vector<int>
    rows() const;

    /// [n_rows] colour of a row.
    std::vector<int>
    colors() const;
  };

  /// Within a colour rows go by their first key, then by their second one,
  /// large ones first, then by their index. Keys have n_rows values of at least
  /// zero. Throws MeshError where places do not fit 32 bits.
  ColorOrder
  order_by_color(const RowColoring &coloring, const std::vector<int> &first,
                 const std::vector<int> &second);

  /// start[s] = sum over slices before s of the largest `count` of their rows.
  std::vector<std::int64_t>
  slice_starts(const ColorOrder &order, const std::vector<int> &count);
} // namespace tessera

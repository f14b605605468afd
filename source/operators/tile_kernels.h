#pragma once

#include <tessera/base/attributes.h>
#include <tessera/operators/tile_operator.h>

#include "row_operator_kernels.h"

// What operators whose work is split into tiles hand to their kernels.
namespace tessera
{
  /// The first entry of a tile of `size` items, with its first row. by_path:
  /// row ends are items.
  TESSERA_HOST_DEVICE std::int64_t
  first_entry(const int tile, const int size, const int first_row,
              const bool by_path, const std::int64_t n_entries)
  {
    const std::int64_t at =
      static_cast<std::int64_t>(tile) * size - (by_path ? first_row : 0);
    return at < n_entries ? at : n_entries;
  }

  /// Tile t ends the rows first_row[t] to first_row[t + 1], without the last.
  /// The first of them may have begun before it, and a row may go on behind it.
  template <class Number>
  struct TileSums
  {
    const int *first_row; ///< [n_tiles + 1], from 0 to the number of rows
    const int *begun;     ///< [n_tiles + 1]: entries that row first_row[t] has
                          ///< before the tile; on the device
    Number *head;         ///< [n_tiles]: its part of the first row that it
                          ///< ends; on the host
    Number *open;         ///< [n_tiles]: of the row that goes on behind it
    int n_tiles;
    int size; ///< items of a tile
    bool by_path;
    std::int64_t n_entries;

    /// The first entry of a tile.
    TESSERA_HOST_DEVICE std::int64_t
    entry(const int tile) const
    {
      return first_entry(tile, size, by_path ? first_row[tile] : 0, by_path,
                         n_entries);
    }

    TESSERA_HOST_DEVICE bool
    ends_rows(const int tile) const
    {
      return first_row[tile + 1] > first_row[tile];
    }
  };

  /// Items of a tile on the host.
  constexpr int host_tile = 2048;

  /// How many rows end before item `at` of the merge path of row ends and
  /// entries, where the end of a row follows its last entry; or, without the
  /// path, at or before entry `at`. ends: [n_rows], the entry behind each row.
  template <bool by_path, class Index, class End>
  TESSERA_HOST_DEVICE Index
  rows_before(const End *ends, const Index n_rows, const Index n_entries,
              const Index at)
  {
    Index low  = by_path && at > n_entries ? at - n_entries : 0;
    Index high = by_path && at < n_rows ? at : n_rows;
    while (low < high)
      {
        const Index middle = low + (high - low) / 2;
        if (ends[middle] <= (by_path ? at - middle - 1 : at))
          low = middle + 1;
        else
          high = middle;
      }
    return low;
  }

  /// Rows, and what their tiles are.
  template <class Offset>
  struct TilePlaces
  {
    const Offset *row_start; ///< [n_rows + 1]
    int n_rows;
    std::int64_t n_entries;
    int n_tiles, size;
    TileCut cut;
    int *first_row; ///< [n_tiles + 1]
    int *begun;     ///< [n_tiles + 1]; on the device
  };

  /// first_row[tile]. Empty rows belong to the tile that ends before the next
  /// entry, those at the very beginning to the first one.
  template <class Offset>
  TESSERA_HOST_DEVICE int
  find_first_row(const TilePlaces<Offset> &places, const int tile)
  {
    if (tile == 0 || tile == places.n_tiles)
      return tile == 0 ? 0 : places.n_rows;
    const Offset *const ends = places.row_start + 1;
    const std::int64_t at    = static_cast<std::int64_t>(tile) * places.size;
    const std::int64_t n     = places.n_rows;
    return static_cast<int>(
      places.cut == TileCut::merge_path
        ? rows_before<true>(ends, n, places.n_entries, at)
        : rows_before<false>(ends, n, places.n_entries, at));
  }

  /// All of them, and what these rows have before the tiles.
  template <class Offset>
  void
  find_first_rows_on_device(const TilePlaces<Offset> &places);
} // namespace tessera

#pragma once

#include <tessera/base/for_each.h>
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

  /// Finds the first row of a tile, and on the device how many entries this row
  /// has before the tile. Empty rows belong to the tile that ends before the
  /// next entry, those at the very beginning to the first one.
  template <class Offset>
  struct FirstRowOfTile
  {
    const Offset *row_start; ///< [n_rows + 1]
    int n_rows;
    std::int64_t n_entries;
    int n_tiles, size;
    bool by_path;
    int *first_row; ///< [n_tiles + 1]
    int *begun;     ///< [n_tiles + 1]; null on the host

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t tile) const
    {
      const int row   = find(tile);
      first_row[tile] = row;
      if (begun == nullptr)
        return;
      begun[tile] =
        row < n_rows
          ? static_cast<int>(first_entry(static_cast<int>(tile), size, row,
                                         by_path, n_entries) -
                             row_start[row])
          : 0;
    }

  private:
    TESSERA_HOST_DEVICE int
    find(const std::int64_t tile) const
    {
      if (tile == 0 || tile == n_tiles)
        return tile == 0 ? 0 : n_rows;
      const Offset *const ends = row_start + 1;
      const std::int64_t at = tile * size, n = n_rows;
      return static_cast<int>(by_path
                                ? rows_before<true>(ends, n, n_entries, at)
                                : rows_before<false>(ends, n, n_entries, at));
    }
  };
} // namespace tessera

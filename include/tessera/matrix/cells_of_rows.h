#pragma once

#include <tessera/space/cell_data.h>

#include <cstdint>

namespace tessera
{
  /// Lists, for each of the first degrees of freedom (in a matrix, the owned
  /// ones), the cells that contain it, in the memory of the cells' backend. The
  /// entries of row r stand from `start[r]` to `start[r + 1]`; an entry is
  /// encoded as cell n + node for n nodes per cell.
  struct CellsOfRows
  {
    Array<std::int64_t> start;   ///< [n_rows + 1]
    Array<unsigned int> entries; ///< [start[n_rows]]
    int most = 0;                ///< largest number of entries of a row

    std::size_t
    bytes() const
    {
      return start.bytes() + entries.bytes();
    }
  };

  /// Makes the lists on the host; the entries of a row increase.
  CellsOfRows
  list_cells_of_rows(const Space &space, int n_rows);

  /// Makes the lists on the backend of the cells. If `sorted`, the cells of a
  /// row increase; otherwise their order on the device is not deterministic.
  /// Throws MeshError if the number of cells times n exceeds 2^32.
  template <class Number>
  CellsOfRows
  list_cells_of_rows(const CellData<Number> &cells, int n_rows, bool sorted);

  /// Adds `weight` to count[row] for every cell (or face) that has the row as a
  /// node. `count` has one entry per row and is in the memory of the cells'
  /// backend.
  template <class Number>
  void
  count_cells_of_rows(const CellData<Number> &cells, int weight,
                      Array<std::int32_t> &count);
} // namespace tessera

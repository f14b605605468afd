#pragma once

#include <tessera/space/cell_data.h>

#include <cstdint>

namespace tessera
{
  /// For the first degrees of freedom (the owned ones, in a matrix) the cells
  /// whose node each is, in the memory of the cells' backend: the entries of
  /// row r, cell n + node for n nodes a cell, stand from `start[r]` to
  /// `start[r + 1]`.
  struct CellsOfRows
  {
    Array<std::int64_t> start;   ///< [n_rows + 1]
    Array<unsigned int> entries; ///< [start[n_rows]]
    int most = 0;                ///< entries of a row

    std::size_t
    bytes() const
    {
      return start.bytes() + entries.bytes();
    }
  };

  /// On the host, sorted.
  CellsOfRows
  list_cells_of_rows(const Space &space, int n_rows);

  /// Where `sorted`, the cells of a row ascend; otherwise their order on the
  /// device is left to chance. Throws MeshError where cells and nodes are more
  /// than 2^32.
  template <class Number>
  CellsOfRows
  list_cells_of_rows(const CellData<Number> &cells, int n_rows, bool sorted);

  /// count[row] += `weight` for every one of the cells (or faces) whose node
  /// the row is; rows are those of `count`, in the memory of the cells'
  /// backend.
  template <class Number>
  void
  count_cells_of_rows(const CellData<Number> &cells, int weight,
                      Array<std::int32_t> &count);
} // namespace tessera

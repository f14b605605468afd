#pragma once

#include <tessera/matrix/cells_of_rows.h>
#include <tessera/space/cell_data.h>

namespace tessera
{
  /// Load vectors in two passes, as Gather assembles matrices
  /// (WongKuhlDarve2015, sections 4 and 9): every cell writes its vector, then
  /// every entry adds up what its cells have for it, in their order.
  /// Repeatable; nothing needs atomics or colours. Bytes: n numbers a cell
  /// written and read again, 4 n of the list of cells; 8 and two numbers an
  /// entry.
  template <class Number>
  class GatherVector
  {
  public:
    /// Of cells, or of faces of a boundary. Lists the cells of every entry of a
    /// whole vector, few as faces may be, and takes memory for the cell
    /// vectors. Throws MeshError where cells and nodes are more than 2^32.
    explicit GatherVector(const CellData<Number> &cells);

    /// Those of the cells, [n_batches][n][lanes]: to be written in the first
    /// pass, padding or not.
    Number *
    values()
    {
      return of_cells.data();
    }

    /// b_i += what the cells have for entry i, owned or in the tail. Throws
    /// std::length_error for a vector of other cells.
    void
    add_to(Vector<Number> &b, Stream stream = {}) const;

    std::size_t
    bytes() const
    {
      return around.bytes() + of_cells.bytes();
    }

  private:
    int n_rows, n_nodes, lanes;
    CellsOfRows around;
    Array<Number> of_cells;
  };
} // namespace tessera

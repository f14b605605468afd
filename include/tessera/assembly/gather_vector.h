#pragma once

#include <tessera/matrix/cells_of_rows.h>
#include <tessera/space/cell_data.h>

namespace tessera
{
  /// Assembles a load vector in two passes, as Gather does for matrices
  /// (WongKuhlDarve2015, sections 4 and 9). In the first pass, every cell
  /// writes its vector. In the second pass, every entry adds up the
  /// contributions of its cells in a fixed order. The result is repeatable; no
  /// atomics or colours are needed. A cell costs n numbers written and read
  /// again and 4 n bytes for the list of cells; an entry costs 8 bytes and two
  /// numbers.
  template <class Number>
  class GatherVector
  {
  public:
    /// Prepares for the cells of a mesh or the faces of a boundary: lists the
    /// cells of every entry of a whole vector, even if only few entries have
    /// faces, and allocates memory for the cell vectors. Throws MeshError if
    /// the nodes of all cells are more than 2^32.
    explicit GatherVector(const CellData<Number> &cells);

    /// Returns the vectors of the cells, [n_batches][n][lanes], lane fastest.
    /// The first pass must write all of them, padding cells included.
    Number *
    values()
    {
      return of_cells.data();
    }

    /// Runs the second pass: b_i += sum of the contributions of the cells to
    /// entry i, owned or in the tail. Throws std::length_error if the vector
    /// does not belong to these cells.
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

#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/matrix/cells_of_rows.h>

namespace tessera
{
  /// Assembly in two passes (WongKuhlDarve2015, sections 4 and 9): every cell
  /// writes the upper half of its matrix, then every row adds up what its cells
  /// have for it, in their order, and writes each entry once. Repeatable;
  /// nothing is cleared, and nothing needs atomics or colours.
  /// Bytes a cell: 4 n (n + 1) written, 8 n^2 and n^2 of slots read, and the
  /// row's entries.
  template <class Number>
  class Gather
  {
  public:
    /// Takes memory for the cell matrices.
    explicit Gather(const CellData<Number> &cells);

    /// Overwrites the values of the matrix of rows behind the sink, which is of
    /// a SlotMap of the same cells.
    void
    assemble(const SlotSink<Number> &sink, const CoefficientView<Number> &kappa,
             Strategy strategy, Stream stream = {}) const;

    std::size_t
    bytes() const
    {
      return around.bytes() + matrices.bytes();
    }

  private:
    const CellData<Number> &cells;
    CellsOfRows around;
    mutable Array<Number> matrices; ///< [n_batches][n (n + 1) / 2][lanes]
  };
} // namespace tessera

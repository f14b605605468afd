#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/matrix/cells_of_rows.h>

namespace tessera
{
  /// Assembly row by row (RegulyGiles2015, section 4): who owns a row computes
  /// what its cells have for it, one after the other, adds that up on chip and
  /// writes each entry once. Repeatable; nothing is stored in between, cleared
  /// or added to by two threads. The price is the metric of a cell, which is
  /// computed for each of its n rows (`redundant_compute`), and twice the
  /// entries of a symmetric matrix.
  /// Bytes a cell: n^2 of slots, 8 a nonzero, 4 n for the list of cells;
  /// vertices come from the caches.
  template <class Number>
  class Owner
  {
  public:
    /// Throws ParameterError as `check_row_assembly` does.
    explicit Owner(const CellData<Number> &cells);

    /// Overwrites the values of the matrix of rows behind the sink, which is of
    /// a SlotMap of the same cells.
    void
    assemble(const SlotSink<Number> &sink, const CoefficientView<Number> &kappa,
             Stream stream = {}) const;

    std::size_t
    bytes() const
    {
      return around.bytes();
    }

  private:
    const CellData<Number> &cells;
    CellsOfRows around;
  };
} // namespace tessera

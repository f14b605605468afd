#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/matrix/csr_pattern.h>

namespace tessera
{
  /// Stores for every entry of every cell matrix its slot, which is the place
  /// within its row of a sparsity pattern. A slot takes 8 bits if all rows have
  /// fewer than 255 entries, otherwise 16. RegulyGiles2015, section 7, uses
  /// four bytes instead of one.
  template <class Number>
  class SlotMap
  {
  public:
    /// Finds the slots. `cells` are the cells that the pattern was made of, or
    /// faces of them. Throws MeshError if a row has more than 65534 entries.
    SlotMap(const CsrPattern &pattern, const CellData<Number> &cells);

    /// Returns a sink that writes into `values` at the positions that `rows`
    /// gives.
    SlotSink<Number>
    sink(Number *values, const RowAddressing &rows) const
    {
      return {values, rows, n_rows, slots_8.data(), slots_16.data()};
    }

    /// Returns true if a cell has two nodes with the same row, as on a periodic
    /// mesh with one cell for a period.
    bool
    repeats_rows() const
    {
      return n_repeated > 0;
    }

    std::size_t
    bytes() const
    {
      return slots_8.bytes() + slots_16.bytes();
    }

  private:
    int n_rows;
    int n_repeated = 0;
    Array<std::uint8_t> slots_8;
    Array<std::uint16_t> slots_16;
  };
} // namespace tessera

#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/matrix/csr_pattern.h>

namespace tessera
{
  /// For every entry of every cell matrix its slot: the place within its row
  /// of a pattern, in 8 bits where rows are short enough, else in 16.
  /// RegulyGiles2015, section 7, with one byte where the paper has four.
  template <class Number>
  class SlotMap
  {
  public:
    /// Of the cells of which the pattern was made, or faces of them. Throws
    /// MeshError for rows of more than 65534 entries.
    SlotMap(const CsrPattern &pattern, const CellData<Number> &cells);

    /// The sink that writes into `values`, where `rows` say.
    SlotSink<Number>
    sink(Number *values, const RowAddressing &rows) const
    {
      return {values, rows, n_rows, slots_8.data(), slots_16.data()};
    }

    std::size_t
    bytes() const
    {
      return slots_8.bytes() + slots_16.bytes();
    }

  private:
    int n_rows;
    Array<std::uint8_t> slots_8;
    Array<std::uint16_t> slots_16;
  };
} // namespace tessera

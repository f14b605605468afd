#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/space/local_entry.h>

// A sink maps entry (i, j) of one cell to storage: open(i) for a row, then
// at(i, j), null where nothing is stored. `Place` knows where the cell's data
// stand in [n_batches][n_entries][lanes]; n is the number of degrees of
// freedom of a cell.
namespace tessera
{
  template <int lanes>
  struct LanePlace
  {
    std::int64_t batch;
    int lane;

    TESSERA_HOST_DEVICE std::int64_t
    operator()(const int n_entries, const int entry) const
    {
      return (batch * n_entries + entry) * lanes + lane;
    }
  };

  /// Into a matrix of rows, by precomputed slots.
  template <int n, int lanes, class Number>
  struct RowSlots
  {
    const SlotSink<Number> *sink;
    const int *dofs;
    LanePlace<lanes> place;
    int row        = 0;
    Number *values = nullptr; ///< of the row

    TESSERA_HOST_DEVICE void
    open(const int i)
    {
      row    = dofs[place(n, i)];
      row    = row < sink->n_rows ? row : 0; // has no slots
      values = sink->values + sink->rows.base(row);
    }

    TESSERA_HOST_DEVICE Number *
    at(const int i, const int j) const
    {
      const std::int64_t entry = place(n * n, i * n + j);
      const bool bytes         = sink->slots_8 != nullptr;
      const int slot = bytes ? sink->slots_8[entry] : sink->slots_16[entry];
      Number *to     = values + sink->rows.offset(row, slot);
      return slot == (bytes ? 0xff : 0xffff) ? nullptr : to;
    }
  };

  /// Onto the diagonal of a vector.
  template <int n, int lanes, class Number>
  struct Diagonal
  {
    Number *d;
    const int *dofs;
    LanePlace<lanes> place;

    TESSERA_HOST_DEVICE void
    open(int)
    {}

    TESSERA_HOST_DEVICE Number *
    at(const int i, const int j) const
    {
      return i == j ? d + dofs[place(n, i)] : nullptr;
    }
  };
} // namespace tessera

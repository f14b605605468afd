#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/space/local_entry.h>

// A sink maps entry (i, j) of one cell to storage: open(i) for a row, then
// at(i, j), null where nothing is stored. `Place` knows where the cell's data
// stand in [n_batches][n_entries][lanes]; n is the number of nodes of a cell,
// and component c of node k has the index c n + k.
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

  /// Into a matrix of rows, by the slots of nodes. The rows and the columns of
  /// the components of a node follow one another.
  template <int n, int n_components, int lanes, class Number>
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
      constexpr bool scalar = n_components == 1;
      row                   = dofs[place(n, scalar ? i : i % n)];
      row                   = row < sink->n_rows ? row : 0; // has no slots
      row                   = scalar ? row : n_components * row + i / n;
      values                = sink->values + sink->rows.base(row);
    }

    TESSERA_HOST_DEVICE Number *
    at(const int i, const int j) const
    {
      constexpr bool scalar = n_components == 1;
      const std::int64_t entry =
        place(n * n, scalar ? i * n + j : i % n * n + j % n);
      const bool bytes = sink->slots_8 != nullptr;
      const int slot   = bytes ? sink->slots_8[entry] : sink->slots_16[entry];
      Number *to       = values + sink->rows.offset(
                                    row, scalar ? slot : n_components * slot + j / n);
      return slot == (bytes ? 0xff : 0xffff) ? nullptr : to;
    }
  };

  /// Onto the diagonal of a vector.
  template <int n, int n_components, int lanes, class Number>
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
      constexpr bool scalar = n_components == 1;
      return i != j   ? nullptr
             : scalar ? d + dofs[place(n, i)]
                      : d + n_components * dofs[place(n, i % n)] + i / n;
    }
  };
} // namespace tessera

#include <tessera/assembly/slot_map.h>
#include <tessera/base/error.h>

#include <algorithm>
#include <limits>

namespace tessera
{
  namespace
  {
    /// [n_batches][n n][lanes]
    template <class Slot, class Number>
    std::vector<Slot>
    find_slots(const SparsityPattern &pattern, const CellData<Number> &cells)
    {
      const Space &space      = cells.space();
      const int n             = space.dofs_per_cell();
      const std::size_t lanes = cells.lanes();
      std::vector<Slot> slots(lanes * cells.n_batches() * n * n,
                              std::numeric_limits<Slot>::max());
#pragma omp parallel for
      for (int cell = 0; cell < space.n_cells(); ++cell)
        {
          const int *dofs =
            space.cell_dofs.data() + static_cast<std::size_t>(cell) * n;
          Slot *to = slots.data() + cell / lanes * n * n * lanes + cell % lanes;
          for (int i = 0; i < n; ++i)
            if (dofs[i] < space.n_owned)
              {
                const int *columns = pattern.columns.data();
                const int *begin   = columns + pattern.row_start[dofs[i]];
                const int *end     = columns + pattern.row_start[dofs[i] + 1];
                for (int j = 0; j < n; ++j)
                  if (dofs[j] < space.n_owned)
                    to[(i * n + j) * lanes] = static_cast<Slot>(
                      std::lower_bound(begin, end, dofs[j]) - begin);
              }
        }
      return slots;
    }
  } // namespace

  template <class Number>
  SlotMap<Number>::SlotMap(const SparsityPattern &pattern,
                           const CellData<Number> &cells)
    : n_rows(pattern.n_rows())
  {
    const int longest = pattern.max_row_length();
    if (longest < 0xff)
      slots_8 = Array<std::uint8_t>(cells.backend(),
                                    find_slots<std::uint8_t>(pattern, cells));
    else if (longest < 0xffff)
      slots_16 = Array<std::uint16_t>(
        cells.backend(), find_slots<std::uint16_t>(pattern, cells));
    else
      throw MeshError("A row of the matrix has " + std::to_string(longest) +
                      " entries; at most 65534 can be assembled.");
  }

  template class SlotMap<double>;
  template class SlotMap<float>;
} // namespace tessera

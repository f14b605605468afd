#include <tessera/assembly/slot_map.h>
#include <tessera/base/error.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "slot_map_kernels.h"

namespace tessera
{
  namespace
  {
    /// [n_batches][n n][lanes]; counts rows that a cell has twice.
    template <class Slot, class Number>
    Array<Slot>
    find_slots(const CsrPattern &pattern, const CellData<Number> &cells,
               int &n_repeated)
    {
      const Space &space      = cells.space();
      const int n             = space.dofs_per_cell();
      const std::size_t lanes = cells.lanes();
      Array<Slot> slots(Backend::host, lanes * cells.n_batches() * n * n);
      Slot *const all = slots.data();
#pragma omp parallel
      {
        std::vector<int> order(n); // of the nodes of a cell
        std::iota(order.begin(), order.end(), 0);
#pragma omp for schedule(static)
        for (std::size_t k = 0; k < slots.size(); ++k)
          all[k] = std::numeric_limits<Slot>::max();
#pragma omp for schedule(static)
        for (int cell = 0; cell < space.n_cells(); ++cell)
          {
            const int *const dofs =
              space.cell_dofs.data() + static_cast<std::size_t>(cell) * n;
            Slot *const to = all + cell / lanes * n * n * lanes + cell % lanes;
            std::sort(order.begin(), order.end(),
                      [dofs](int i, int j) { return dofs[i] < dofs[j]; });
            for (int i = 1; i < n; ++i)
              if (dofs[order[i]] == dofs[order[i - 1]] &&
                  dofs[order[i]] < pattern.n_rows)
                {
#pragma omp atomic
                  ++n_repeated;
                }
            for (int i = 0; i < n; ++i)
              if (dofs[i] < pattern.n_rows)
                {
                  const std::int64_t begin = pattern.row_start.data()[dofs[i]];
                  const int *const columns = pattern.columns.data() + begin;
                  int k                    = 0;
                  for (const int j : order)
                    if (dofs[j] < pattern.n_rows)
                      {
                        while (columns[k] < dofs[j])
                          ++k;
                        to[(i * n + j) * lanes] = static_cast<Slot>(k);
                      }
                }
          }
      }
      return slots;
    }

    /// The same where the cells are on the device.
    template <class Slot, class Number>
    Array<Slot>
    make_slots(const CsrPattern &pattern, const CellData<Number> &cells,
               int &n_repeated)
    {
      if (cells.backend() == Backend::host)
        return find_slots<Slot>(pattern, cells, n_repeated);
      const Space &space = cells.space();
      const int n        = space.dofs_per_cell();
      Array<Slot> slots(Backend::cuda,
                        std::size_t(cells.lanes()) * cells.n_batches() * n * n);
      if (slots.size() == 0)
        return slots;
      runtime::fill_async(slots.data(), 0xff, slots.bytes(), {});
      Array<int> repeated(Backend::cuda, 1);
      find_slots_on_device(SlotCells{cells.view(Conflict::atomics).dofs,
                                     space.n_cells(), n, pattern.n_rows,
                                     pattern.row_start.data(),
                                     pattern.columns.data(), repeated.data()},
                           slots.data());
      n_repeated = repeated.to_vector().front();
      return slots;
    }
  } // namespace


  template <class Number>
  SlotMap<Number>::SlotMap(const CsrPattern &pattern,
                           const CellData<Number> &cells)
    : n_rows(pattern.n_rows)
  {
    const int longest = pattern.max_row_length;
    if (longest < 0xff)
      slots_8 = make_slots<std::uint8_t>(pattern, cells, n_repeated);
    else if (longest < 0xffff)
      slots_16 = make_slots<std::uint16_t>(pattern, cells, n_repeated);
    else
      throw MeshError("A row of the matrix has " + std::to_string(longest) +
                      " entries; at most 65534 can be assembled.");
  }

  template class SlotMap<double>;
  template class SlotMap<float>;
} // namespace tessera

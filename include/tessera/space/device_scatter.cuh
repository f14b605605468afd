#pragma once

#include <tessera/space/device_cells.cuh>

#include <tessera/space/cell_apply.h>

// How the device reads and writes the vectors of a cell: one thread a cell.
namespace tessera
{
  /// True if node i of n1^2 belongs to one cell alone.
  TESSERA_HOST_DEVICE constexpr bool
  is_cell_interior(const int i, const int n1)
  {
    return i % n1 > 0 && i % n1 < n1 - 1 && i / n1 > 0 && i / n1 < n1 - 1;
  }

  template <int n1, class Number>
  TESSERA_DEVICE void
  gather(const DeviceCell<Number> &cell, const CellView<Number> &cells,
         const Number *x, Number (&u)[n1 * n1])
  {
    TESSERA_UNROLL
    for (int i = 0; i < n1 * n1; ++i)
      u[i] = read_only(x + cell.load(cells.dofs, n1 * n1, i));
  }

  /// Adds r to y: cell interiors by plain stores (or additions, where `add`),
  /// others by atomics or colour by colour. All threads of a block take part.
  template <int n1, class Number>
  TESSERA_DEVICE void
  scatter(DeviceCell<Number> cell, const CellApply<Number> &apply,
          const Number (&r)[n1 * n1])
  {
    constexpr int n = n1 * n1;
    forget(cell.lane); // indices are read again: registers are short
    TESSERA_UNROLL
    for (int i = 0; i < n; ++i)
      if (is_cell_interior(i, n1))
        {
          Number *to = apply.y + cell.load(apply.cells.dofs, n, i);
          *to        = apply.add ? *to + r[i] : r[i];
        }
    if (apply.conflict == Conflict::atomics)
      {
        TESSERA_UNROLL
        for (int i = 0; i < n; ++i)
          if (!is_cell_interior(i, n1))
            device::atomic_add(apply.y + cell.load(apply.cells.dofs, n, i),
                               r[i]);
      }
    else
      {
        const int mine = cell.load(apply.cells.cell_color, 1, 0);
        TESSERA_ROLLED
        for (int color = 0; color < apply.cells.n_cell_colors; ++color)
          {
            if (color == mine)
              {
                TESSERA_UNROLL
                for (int i = 0; i < n; ++i)
                  if (!is_cell_interior(i, n1))
                    apply.y[cell.load(apply.cells.dofs, n, i)] += r[i];
              }
            device::barrier();
          }
      }
  }

  /// Sums x_e . r_e over the grid where that is asked for. Tails of x are
  /// zero, so this is x . A x over owned entries.
  template <int n1, class Number>
  TESSERA_DEVICE void
  sum_energy(const CellApply<Number> &apply, const Number (&u)[n1 * n1],
             const Number (&r)[n1 * n1])
  {
    if (apply.sum.result == nullptr)
      return;
    Number energy = u[0] * r[0];
    TESSERA_UNROLL
    for (int i = 1; i < n1 * n1; ++i)
      energy += u[i] * r[i];
    device::grid_sum<CellData<Number>::device_threads>(
      energy, apply.blocks.first + device::block_index(), apply.sum);
  }
} // namespace tessera

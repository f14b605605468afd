#pragma once

#include <tessera/space/device_cells.cuh>

#include <tessera/space/cell_apply.h>
#include <tessera/space/cell_values.h>

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
         const Number *x, RegisterValues<n1 * n1, Number> &u)
  {
    TESSERA_UNROLL
    for (int i = 0; i < n1 * n1; ++i)
      u[i] = read_only(x + cell.load(cells.dofs, n1 * n1, i));
  }

  /// Into shared memory, without registers; there after `wait_for_copies`.
  template <int n1, int stride, class Number>
  TESSERA_DEVICE void
  gather(const DeviceCell<Number> &cell, const CellView<Number> &cells,
         const Number *x, const SharedValues<stride, Number> &u)
  {
    TESSERA_UNROLL
    for (int i = 0; i < n1 * n1; ++i)
      device::copy_async(&u[i], x + cell.load(cells.dofs, n1 * n1, i));
  }

  /// Adds r to y by atomics. Where the last column of nodes (i0 = p) of a
  /// thread's cell is the first one of the next lane's, as along the rows of
  /// most meshes, that lane adds the sum of both: atomics in the L2 cache are
  /// what bounds low degrees.
  template <int n1, class Number>
  TESSERA_DEVICE void
  scatter_atomically(DeviceCell<Number> cell, const CellApply<Number> &apply,
                     const Number (&r)[n1 * n1])
  {
    constexpr int n = n1 * n1;
    TESSERA_UNROLL
    for (int i1 = 0; i1 < n1; ++i1)
      {
        forget(cell.lane); // a row of indices at a time
        const int left         = i1 * n1;
        const int right        = left + n1 - 1;
        const int first        = cell.load(apply.cells.dofs, n, left);
        const int last         = cell.load(apply.cells.dofs, n, right);
        const int of_next      = device::shuffle_down(first, 1);
        const int of_prev      = device::shuffle_up_one(last);
        const Number from_prev = device::shuffle_up_one(r[right]);
        device::atomic_add(apply.y + first, cell.lane > 0 && of_prev == first
                                              ? r[left] + from_prev
                                              : r[left]);
        if (cell.lane == cell.lanes - 1 || of_next != last)
          device::atomic_add(apply.y + last, r[right]);
        if (i1 == 0 || i1 == n1 - 1)
          {
            TESSERA_UNROLL
            for (int i = left + 1; i < right; ++i)
              device::atomic_add(apply.y + cell.load(apply.cells.dofs, n, i),
                                 r[i]);
          }
      }
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
      scatter_atomically<n1>(cell, apply, r);
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

  /// x_e . r_e of a cell. Tails of x are zero, so the sum over cells is
  /// x . A x over owned entries.
  template <int n, class Number, class Values>
  TESSERA_DEVICE Number
  energy(const Values &u, const Number (&r)[n])
  {
    Number sum = u[0] * r[0];
    TESSERA_UNROLL
    for (int i = 1; i < n; ++i)
      sum += u[i] * r[i];
    return sum;
  }

  /// Sums the energies over the grid where that is asked for.
  template <class Number>
  TESSERA_DEVICE void
  sum_energy(const CellApply<Number> &apply, const Number energy)
  {
    if (apply.sum.result != nullptr)
      device::grid_sum<CellData<Number>::device_threads>(
        energy, apply.blocks.first + device::block_index(), apply.sum);
  }
} // namespace tessera

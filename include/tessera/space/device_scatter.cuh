#pragma once

#include <tessera/space/cell_interior.h>
#include <tessera/space/device_cells.cuh>
#include <tessera/space/element.h>
#include <tessera/space/node_cells.cuh>

#include <tessera/space/cell_apply.h>
#include <tessera/space/cell_values.h>

// This header defines how the device reads from vectors and adds to them at the
// nodes of a cell, with one thread per cell.
namespace tessera
{
  /// Reads x at the nodes of the cell into registers.
  template <class E, class Cell, class Number>
  TESSERA_DEVICE void
  gather(const Cell &cell, const Number *x, RegisterValues<E::n, Number> &u)
  {
    TESSERA_UNROLL_BY(E::n)
    for (int i = 0; i < E::n; ++i)
      u[i] = read_only(x + cell.index(i));
  }

  /// Starts to copy x at the nodes of the cell into shared memory, without
  /// passing through registers. The values may be read after `wait_for_copies`.
  template <class E, class Cell, int stride, class Number>
  TESSERA_DEVICE void
  gather(const Cell &cell, const Number *x,
         const SharedValues<stride, Number> &u)
  {
    TESSERA_UNROLL_BY(E::n)
    for (int i = 0; i < E::n; ++i)
      device::copy_async(&u[i], x + cell.index(i));
  }

  /// Adds r to y at the nodes of a quadrilateral by atomics. If the last column
  /// of nodes (i0 = p) of a thread's cell is the first column of the next
  /// lane's cell, as along the rows of most meshes, then that lane adds the sum
  /// of both values. This saves atomics in the L2 cache, which limit the speed
  /// of low degrees. Cells share an edge as a whole, so the test at the first
  /// node between its ends is valid for the others too.
  template <class E, class Cell, class Number>
  TESSERA_DEVICE void
  scatter_atomically(Cell cell, const CellApply<Number> &apply,
                     const Number (&r)[E::n])
  {
    constexpr int n1 = E::n1;
    bool takes = false, gives = false;
    TESSERA_UNROLL
    for (int i1 = 0; i1 < n1; ++i1)
      {
        cell.next_row();
        const int left  = i1 * n1;
        const int right = left + n1 - 1;
        const int first = cell.index(left);
        const int last  = cell.index(right);
        if (i1 < 2 || i1 == n1 - 1)
          {
            const int of_next = device::shuffle_down(first, 1);
            const int of_prev = device::shuffle_up_one(last);
            takes             = cell.lane > 0 && of_prev == first;
            gives             = cell.lane < cell.lanes - 1 && of_next == last;
          }
        const Number from_prev = device::shuffle_up_one(r[right]);
        device::atomic_add(apply.y + first,
                           takes ? r[left] + from_prev : r[left]);
        if (!gives)
          device::atomic_add(apply.y + last, r[right]);
        if (i1 == 0 || i1 == n1 - 1)
          {
            TESSERA_UNROLL
            for (int i = left + 1; i < right; ++i)
              device::atomic_add(apply.y + cell.index(i), r[i]);
          }
      }
  }

  /// Adds r to y at the nodes of the cell. Inner nodes of the cell are stored
  /// (or added, if `apply.add`) without atomics; the other nodes are added by
  /// atomics or colour by colour, as `apply.conflict` says. All threads of the
  /// block take part.
  template <class E, class Cell, class Number>
  TESSERA_DEVICE void
  scatter(Cell cell, const CellApply<Number> &apply, const Number (&r)[E::n])
  {
    cell.reread();
    TESSERA_UNROLL
    for (int i = 0; i < E::n; ++i)
      if (is_cell_interior<E>(i))
        {
          Number *to = apply.y + cell.index(i);
          *to        = apply.add ? *to + r[i] : r[i];
        }
    if (apply.conflict == Conflict::atomics)
      {
        if constexpr (E::cell_type == CellType::quadrilateral)
          scatter_atomically<E>(cell, apply, r);
        else
          {
            TESSERA_UNROLL_BY(E::n)
            for (int i = 0; i < E::n; ++i)
              device::atomic_add(apply.y + cell.index(i), r[i]);
          }
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
                for (int i = 0; i < E::n; ++i)
                  if (!is_cell_interior<E>(i))
                    apply.y[cell.index(i)] += r[i];
              }
            device::barrier();
          }
      }
  }

  /// Adds value(k), k = 0, ..., count - 1, to y at the node node(k) of the
  /// cell, entry by entry. Use it if no single thread holds all values of the
  /// cell; if one does, in registers, set `unroll` to `count`. Threads that are
  /// not `active` only take part in barriers. For nodes with several
  /// components, it adds to the one that is named.
  template <class E, int count, int n_components = 1,
            int unroll = count <= E::n1 ? count : 1, class Number, class Node,
            class Value>
  TESSERA_DEVICE void
  scatter_each(const DeviceCell<Number> &cell, const CellApply<Number> &apply,
               const bool active, const Node &node, const Value &value,
               const int component = 0)
  {
    const bool atomics = apply.conflict == Conflict::atomics;
    const int turns    = atomics ? 1 : apply.cells.n_cell_colors;
    const int mine     = atomics ? 0 : cell.load(apply.cells.cell_color, 1, 0);
    TESSERA_ROLLED
    for (int color = 0; color < turns; ++color)
      {
        if (active && color == mine)
          {
            TESSERA_UNROLL_BY(unroll)
            for (int k = 0; k < count; ++k)
              {
                const int i = node(k);
                Number *to =
                  apply.y +
                  n_components * cell.load(apply.cells.dofs, E::n, i) +
                  component;
                if (is_cell_interior<E>(i))
                  *to = apply.add ? *to + value(k) : value(k);
                else if (atomics)
                  device::atomic_add(to, value(k));
                else
                  *to += value(k);
              }
          }
        if (!atomics)
          device::barrier();
      }
  }

  /// Does the same for all nodes of the cell: value(i) is added at node i.
  template <class E, class Number, class Value>
  TESSERA_DEVICE void
  scatter_each(const DeviceCell<Number> &cell, const CellApply<Number> &apply,
               const bool active, const Value &value)
  {
    scatter_each<E, E::n>(
      cell, apply, active, [](const int i) { return i; }, value);
  }

  /// Returns x_e . r_e for a cell. The tail of x is zero, so the sum over all
  /// cells is x . A x over the owned entries.
  template <int n, class Number, class Values>
  TESSERA_DEVICE Number
  energy(const Values &u, const Number (&r)[n])
  {
    Number sum = u[0] * r[0];
    TESSERA_UNROLL_BY(n)
    for (int i = 1; i < n; ++i)
      sum += u[i] * r[i];
    return sum;
  }

  /// Stores the sum of `energy` over the threads of a block as the block's
  /// partial sum, if `apply` asks for x . A x. The block has `threads` threads.
  /// A thread sums the few nodes of its cells in Number: this error does not
  /// grow with the mesh and is as large as in r. All other sums are double.
  template <int threads, class Number>
  TESSERA_DEVICE void
  sum_energy(const CellApply<Number> &apply, const Number energy)
  {
    if (apply.sum.result != nullptr)
      device::leave_sum<threads>(
        energy, apply.blocks.first + device::block_index(), apply.sum);
  }
} // namespace tessera

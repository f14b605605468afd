#pragma once

#include <tessera/space/cell_apply.h>
#include <tessera/space/device_scatter.cuh>

#include "hexahedron_thread_quadratic.cuh"

#include <type_traits>

namespace tessera
{
  /// Adds `first` and `last` to y at the first and the last node of a line of
  /// nodes in direction 0, where the indices are `left` and `right`. Where the
  /// last one and the first one of the next lane are the same, as along the
  /// rows of most meshes, the next lane adds both.
  template <class Number>
  TESSERA_DEVICE void
  add_ends(const DeviceCell<Number> &cell, Number *const y, const int left,
           const int right, const Number first, const Number last)
  {
    const int of_next      = device::shuffle_down(left, 1);
    const int of_prev      = device::shuffle_up_one(right);
    const Number from_prev = device::shuffle_up_one(last);
    const bool takes       = cell.lane > 0 && of_prev == left;
    const bool gives       = cell.lane < cell.lanes - 1 && of_next == right;
    device::atomic_add(y + left, takes ? first + from_prev : first);
    if (!gives)
      device::atomic_add(y + right, last);
  }

  /// Adds r to component c of y at the nodes of a hexahedron by atomics, except
  /// for nodes that belong to the cell alone.
  template <class E, int n_components, class Number>
  TESSERA_DEVICE void
  scatter_lines(const DeviceCell<Number> &cell, const CellApply<Number> &apply,
                const int c, const Number (&r)[E::n])
  {
    const auto index = [&](const int i) {
      return n_components * cell.load(apply.cells.dofs, E::n, i);
    };
    TESSERA_UNROLL
    for (int i = 0; i < E::n; i += E::n1)
      {
        const int last = i + E::n1 - 1;
        add_ends(cell, apply.y + c, index(i), index(last), r[i], r[last]);
        TESSERA_UNROLL
        for (int k = i + 1; k < last; ++k)
          {
            Number *const to = apply.y + index(k) + c;
            if (!is_cell_interior<E>(k))
              device::atomic_add(to, r[k]);
            else
              *to = apply.add ? *to + r[k] : r[k];
          }
      }
  }

  /// The cells of block `block` that a thread block has: `cells` from part
  /// cells on.
  struct BlockPart
  {
    int parts, block, part, cells;

    TESSERA_DEVICE
    BlockPart(const Conflict conflict)
      : parts(parts_of_block(conflict)), block(device::block_index() / parts),
        part(device::block_index() % parts),
        cells(CellData<double>::device_threads / parts)
    {}
  };

  /// How one thread computes the product of a hexahedron.
  template <class F, class E, CellMap map_kind, bool uniform, class Number>
  using OneThread =
    std::conditional_t<E::degree == 1,
                       ThreadOfCell<F, E, map_kind, uniform, Number>,
                       QuadraticThreadOfCell<F, E, map_kind, uniform, Number>>;

  template <
    class F, class E, CellMap map_kind, bool uniform, class Number,
    class Memory = typename OneThread<F, E, map_kind, uniform, Number>::Memory>
  constexpr int bytes_of_thread_memory = std::is_empty<Memory>::value
                                           ? 0
                                           : sizeof(Memory);

  /// Warps for which registers have to suffice. More of them, with many numbers
  /// of a thread in memory, are slower (H200, 2026-11-30). In double at degree
  /// 2 shared memory has room for 11, and for 14 on parallelepipeds.
  template <class F, class E, bool linear, bool uniform, class Number>
  constexpr int
  thread_blocks()
  {
    if (sizeof(Number) == sizeof(float))
      return F::n_components == 1 && (E::degree == 1 || linear) ? 20 : 16;
    if (F::n_components > 1)
      return 8;
    return linear || (E::degree == 1 && uniform) ? 16 : 12;
  }

  /// y += A x of a form of gradients on hexahedra of degree 1 or 2, one thread
  /// a cell. Bytes a cell: 4 n for dofs, 32 for vertices, coordinates (or
  /// stored Jacobians), x, and y read and written (inner nodes written alone
  /// unless they are added to).
  template <class F, class E, CellMap map_kind, bool uniform, class Number>
  TESSERA_KERNEL(
    DeviceCell<Number>::lanes,
    (thread_blocks<F, E, map_kind == CellMap::linear, uniform, Number>()))
  void matrix_free_threads(TESSERA_ARGUMENT(CellApply<Number>) apply,
                           TESSERA_ARGUMENT(CoefficientView<Number>)
                             coefficient,
                           TESSERA_ARGUMENT(ReferenceElement<E, Number>)
                             element)
  {
    constexpr int n_components = F::n_components;
    constexpr int lanes        = DeviceCell<Number>::lanes;
    using Thread               = OneThread<F, E, map_kind, uniform, Number>;
    using Memory               = typename Thread::Memory;
    TESSERA_LARGE_SHARED(Memory, memory);
    const BlockPart share(apply.conflict);
    Number product = Number(0);
    TESSERA_ROLLED
    for (int first = share.part * share.cells;
         first < (share.part + 1) * share.cells; first += lanes)
      {
        DeviceCell<Number> cell =
          cell_of_block(apply.cells, apply.blocks,
                        first + device::thread_index(), share.block);
        if (!uniform)
          prefetch_coefficient(cell, coefficient);
        Number r[n_components][E::n];
        Thread{cell, apply.cells, coefficient, element}.product(apply.x, memory,
                                                                r);
        forget(cell.lane);
        TESSERA_UNROLL
        for (int c = 0; c < n_components; ++c)
          {
            if (apply.sum.result != nullptr)
              {
                TESSERA_UNROLL
                for (int i = 0; i < E::n; ++i)
                  product +=
                    r[c][i] * cell.template value_at_node<E::n, n_components>(
                                apply.cells, apply.x, i, c);
              }
            if (apply.conflict == Conflict::atomics)
              scatter_lines<E, n_components>(cell, apply, c, r[c]);
            else
              scatter_each<E, E::n, n_components, E::n>(
                cell, apply, true, [](const int i) { return i; },
                [&](const int i) { return r[c][i]; }, c);
          }
      }
    if (apply.sum.result != nullptr)
      device::leave_sum<lanes>(
        product, apply.blocks.first * share.parts + device::block_index(),
        apply.sum);
  }
} // namespace tessera

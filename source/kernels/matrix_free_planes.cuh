#pragma once

#include <tessera/base/launch.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/device_scatter.cuh>

#include "../operators/tuning.h"
#include "matrix_free_threads.cuh"
#include "plane_flux.cuh"

namespace tessera
{
  /// Says whether a form is nothing but a linear map of gradients, so that one
  /// thread, or rows and planes of a hexahedron, serve it.
  template <class F>
  constexpr bool has_planes = F::is_flux ||
                              (F::uses_gradients && !F::uses_values &&
                               !F::projects && !F::reads_solution &&
                               F::n_state == 0);

  /// Adds r to component c of y at the nodes of line i0 of the thread's row, by
  /// atomics except for nodes that belong to the cell alone.
  template <int n_components, class Member, class Number, int n>
  TESSERA_DEVICE void
  scatter_line(const Member &member, const DeviceCell<Number> &cell,
               const CellApply<Number> &apply, const int c, const int i0,
               const Number (&r)[n])
  {
    const bool on_face = i0 % (n - 1) == 0 || member.member % (n - 1) == 0;
    TESSERA_UNROLL
    for (int i2 = 0; i2 < n; ++i2)
      {
        Number *const to = apply.y +
                           n_components * cell.load(apply.cells.dofs, n * n * n,
                                                    member.node(i0, i2)) +
                           c;
        if (i2 % (n - 1) == 0 || on_face)
          device::atomic_add(to, r[i2]);
        else
          *to = apply.add ? *to + r[i2] : r[i2];
      }
  }

  /// The same for the first and the last line of the row, by `add_ends`.
  template <int n_components, class Member, class Number, int n>
  TESSERA_DEVICE void
  scatter_ends(const Member &member, const DeviceCell<Number> &cell,
               const CellApply<Number> &apply, const int c,
               const Number (&first)[n], const Number (&last)[n])
  {
    TESSERA_UNROLL
    for (int i2 = 0; i2 < n; ++i2)
      {
        const auto index = [&](const int i0) {
          return n_components *
                 cell.load(apply.cells.dofs, n * n * n, member.node(i0, i2));
        };
        add_ends(cell, apply.y + c, index(0), index(n - 1), first[i2],
                 last[i2]);
      }
  }

  /// What a flux form reads at a point: nothing, a number or a tensor.
  template <class F, bool uniform>
  constexpr int varies = uniform || !F::is_flux           ? 0
                         : FluxTraits<F>::scales_gradient ? 1
                                                          : 2;

  /// y += A x of a form of gradients on hexahedra, p + 1 threads a cell. Bytes
  /// a cell: 4 n for dofs, 32 for vertices, coordinates (or stored Jacobians),
  /// x, and y read and written (inner nodes written alone unless they are added
  /// to).
  template <class F, class E, CellMap map_kind, bool uniform, class Number>
  TESSERA_KERNEL(PlaneShape<E>::threads,
                 (tuning::plane_blocks<F, E, map_kind == CellMap::linear,
                                       varies<F, uniform>, Number>))
  void matrix_free_planes(TESSERA_ARGUMENT(CellApply<Number>) apply,
                          TESSERA_ARGUMENT(CoefficientView<Number>) coefficient,
                          TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
  {
    constexpr int n = E::n1, n_components = F::n_components;
    static_assert(tuning::plane_blocks<F, E, map_kind == CellMap::linear,
                                       varies<F, uniform>, Number> > 0,
                  "one thread has a cell");
    // Indices of a line are read after the line before it was added, which
    // spares registers: faster with one component, slower with three from
    // degree 3 on.
    constexpr bool reads_late = n_components == 1 || n == 3;
    using Memory              = PlaneMemory<E, map_kind, Number, n_components>;
    using Flux =
      std::conditional_t<F::is_flux, PlaneFlux<F, E, map_kind, uniform, Number>,
                         PlaneForm<F, E, map_kind, Number>>;
    TESSERA_LARGE_SHARED(Memory, memory);
    const typename Flux::Member member(memory, element, apply.cells);
    const BlockPart share(apply.conflict);
    Number product = Number(0);
    TESSERA_ROLLED
    for (int first = share.part * share.cells;
         first < (share.part + 1) * share.cells; first += Memory::lanes)
      {
        DeviceCell<Number> cell = cell_of_block(
          apply.cells, apply.blocks, first + member.lane, share.block);
        if (!uniform && member.member == 0)
          prefetch_coefficient(cell, coefficient);
        member.start_values(cell, apply.x);
        const Flux flux{member, cell, coefficient};
        member.make_map(cell);
        flux.make_metric();
        device::wait_for_copies();
        member.lines_to_planes();
        device::barrier();
        member.work_plane(flux);
        device::barrier();

        TESSERA_ROLLED
        for (int c = 0; c < n_components; ++c)
          {
            Number r[n][n];
            member.planes_to_row(c, r);
            if constexpr (reads_late)
              forget(cell.lane);
            if (apply.sum.result != nullptr)
              {
                TESSERA_UNROLL
                for (int i0 = 0; i0 < n; ++i0)
                  TESSERA_UNROLL
                for (int i2 = 0; i2 < n; ++i2)
                  product +=
                    r[i0][i2] * cell.template value_at_node<E::n, n_components>(
                                  apply.cells, apply.x, member.node(i0, i2), c);
              }
            if (apply.conflict == Conflict::atomics)
              {
                scatter_ends<n_components>(member, cell, apply, c, r[0],
                                           r[n - 1]);
                TESSERA_UNROLL
                for (int i0 = 1; i0 < n - 1; ++i0)
                  {
                    if constexpr (reads_late)
                      forget(cell.lane);
                    scatter_line<n_components>(member, cell, apply, c, i0,
                                               r[i0]);
                  }
              }
            else
              {
                TESSERA_UNROLL
                for (int i0 = 0; i0 < n; ++i0)
                  scatter_each<E, n, n_components>(
                    cell, apply, true,
                    [&](const int i2) { return member.node(i0, i2); },
                    [&](const int i2) { return r[i0][i2]; }, c);
              }
          }
      }
    if (apply.sum.result != nullptr)
      device::leave_sum<PlaneShape<E>::threads>(
        product, apply.blocks.first * share.parts + device::block_index(),
        apply.sum);
  }

  /// Launches the kernel of a form: one thread a cell at degree 1 and for
  /// fluxes of degree 2, unless these have a tensor for every point, whose
  /// loads need more warps; else rows and planes. A number and a uniform
  /// multiple of the unit tensor have kernels of their own, except that the
  /// metric of a parallelepiped has what is uniform; with one thread a cell a
  /// uniform coefficient has, too.
  template <class F, class E, CellMap map_kind, class Number>
  void
  launch_planes_of(const CellApply<Number> &apply,
                   const CoefficientView<Number> &coefficient,
                   const Stream stream)
  {
    constexpr bool linear = map_kind == CellMap::linear;
    constexpr bool single = E::degree == 1 || (E::degree == 2 && F::is_flux);
    const bool tensors =
      !coefficient.is_uniform() && coefficient.point_stride > 1;
    const std::int64_t n_blocks =
      std::int64_t(parts_of_block(apply.conflict)) * apply.blocks.n_blocks;
    const auto run = [&](const auto form, const auto is_uniform) {
      using G                = std::decay_t<decltype(form)>;
      constexpr bool uniform = decltype(is_uniform)::value;
      constexpr bool by_planes =
        !single || (E::degree == 2 && !linear && !uniform &&
                    !FluxTraits<G>::scales_gradient);
      const auto start = [&](const auto kernel, const Shape shape,
                             const ReferenceElement<E, Number> &element) {
        launch(kernel, shape, stream, apply, coefficient, element);
      };
      if constexpr (single)
        if (!by_planes || !tensors)
          return start(
            matrix_free_threads<G, E, map_kind, uniform, Number>,
            {n_blocks, DeviceCell<Number>::lanes,
             bytes_of_thread_memory<G, E, map_kind, uniform, Number>},
            reference_element<E, Number>());
      if constexpr (by_planes)
        start(matrix_free_planes<G, E, map_kind, uniform, Number>,
              {n_blocks, PlaneShape<E>::threads,
               sizeof(PlaneMemory<E, map_kind, Number, F::n_components>)},
              plane_element<E, Number>());
    };
    if constexpr (FluxTraits<F>::takes_number)
      {
        using G = OfNumber<F>;
        if constexpr (!linear)
          if (is_uniform_number(coefficient, E::dim))
            return run(G(), std::true_type());
        if (is_number(coefficient))
          return run(G(), std::false_type());
      }
    if constexpr ((single && !linear) || FluxTraits<F>::scales_gradient)
      if (coefficient.is_uniform())
        return run(F(), std::true_type());
    run(F(), std::false_type());
  }

  /// Parallelepipeds have their own kernels for fluxes, unless a tensor differs
  /// from point to point.
  template <class F, class E, bool stored, class Number>
  void
  launch_planes(const CellApply<Number> &apply,
                const CoefficientView<Number> &coefficient, const Stream stream)
  {
    if constexpr (F::is_flux)
      {
        const bool multiplies =
          FluxTraits<F>::takes_number && is_number(coefficient);
        if (apply.cells.parallelepipeds &&
            (multiplies || coefficient.is_uniform() ||
             coefficient.point_stride == 0))
          return launch_planes_of<F, E, CellMap::linear>(apply, coefficient,
                                                         stream);
      }
    launch_planes_of<F, E, stored ? CellMap::points : CellMap::trilinear>(
      apply, coefficient, stream);
  }
} // namespace tessera

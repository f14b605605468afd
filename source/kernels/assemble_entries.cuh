#pragma once

#include <tessera/base/launch.h>

#include "device_emit.cuh"
#include "device_writers.cuh"
#include "hexahedron_pairs.cuh"

// The kernels that write or add the entries of cell matrices, by blocks of
// `threads` threads.
namespace tessera
{
  namespace
  {
    /// True where pairs of layers make the upper half of a hexahedron's matrix.
    /// At degree 1, teams need 0.6 of the time of pairs.
    template <Strategy strategy, class F, class E, class Number>
    constexpr bool
    by_pairs()
    {
      if constexpr (strategy == Strategy::keeps_points && F::symmetric &&
                    !F::projects && E::cell_type == CellType::hexahedron)
        return E::degree > 1 && PairShape<F, E, Number>::pays;
      return false;
    }

    /// Writes cell matrices, or their upper halves. Bytes a cell: 8 n^2 or
    /// 4 n (n + 1) written, vertices and coordinates read; `by_points`
    /// values are written once a point, and read again for all but the first.
    template <Strategy strategy, bool upper, class F, class E, bool stored,
              int threads, class Number>
    TESSERA_KERNEL(threads, 1)
    void local(TESSERA_ARGUMENT(AssemblyCells<Number>) in, Number *values,
               TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      emit_block<strategy, F, E, stored, threads>(
        in, element, [&](const DeviceCell<Number> &cell, const bool active) {
          return LocalWriter<upper, F::n_components * E::n, Number>{
            cell, values, active};
        });
    }

    /// Does the same for the upper half on hexahedra, with four thread blocks
    /// for a block of cells.
    template <class F, class E, bool stored, class Number>
    TESSERA_KERNEL((PairShape<F, E, Number>::threads),
                   (tuning::pair_blocks<F, E>))
    void local_by_pairs(TESSERA_ARGUMENT(AssemblyCells<Number>) in,
                        Number *values,
                        TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      emit_block_by_pairs<F, E, stored>(in, values, element);
    }

    /// Adds cell matrices to a matrix of rows. Bytes a cell: n^2 (1 + 2 x 8)
    /// for slots and values, 4 n for dofs, 8 n for row starts, geometry;
    /// `by_points` the first two once a point.
    /// Padding has no slots.
    template <Strategy strategy, bool colored, class F, class E, bool stored,
              int threads, class Number>
    TESSERA_KERNEL(threads, 1)
    void rows(TESSERA_ARGUMENT(AssemblyCells<Number>) in,
              TESSERA_ARGUMENT(SlotSink<Number>) sink,
              TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      using Sink = RowSlots<E::n, F::n_components, 32, Number>;
      emit_block<strategy, F, E, stored, threads>(
        in, element, [&](const DeviceCell<Number> &cell, const bool active) {
          const Sink slots = {&sink, in.cells.dofs, {cell.batch, cell.lane}};
          if constexpr (colored)
            return ColorWriter<Sink, Number>{
              slots, cell.load(in.cells.cell_color, 1, 0),
              in.cells.n_cell_colors, active};
          else
            return AtomicWriter<Sink, Number>{slots, active};
        });
    }

    template <Strategy strategy, class F, class E, class Number>
    void
    launch_local(const AssemblyCells<Number> &cells, Number *values,
                 const bool upper, const Stream stream)
    {
      on_geometry(cells.cells, [&](const auto stored) {
        constexpr bool known = decltype(stored)::value;
        const auto run       = [&](const auto kernel, const int threads,
                             const std::int64_t n_blocks) {
          launch(kernel, {n_blocks, threads}, stream, cells, values,
                       reference_element<E, Number>());
        };
        const auto run_all = [&](const auto kernel) {
          run(kernel, emit_threads<E>, cells.blocks.n_blocks);
        };
        if (!upper)
          run_all(local<strategy, false, F, E, known, emit_threads<E>, Number>);
        else if constexpr (by_pairs<strategy, F, E, Number>())
          run(local_by_pairs<F, E, known, Number>,
              PairShape<F, E, Number>::threads,
              parts_of_pairs * std::int64_t(cells.blocks.n_blocks));
        else
          run_all(local<strategy, true, F, E, known, emit_threads<E>, Number>);
      });
    }

    template <Strategy strategy, class F, class E, class Number>
    void
    launch_rows(const AssemblyCells<Number> &cells,
                const SlotSink<Number> &sink, const Stream stream)
    {
      on_geometry(cells.cells, [&](const auto stored) {
        constexpr bool known = decltype(stored)::value;
        launch(cells.conflict == Conflict::coloring
                 ? rows<strategy, true, F, E, known, emit_threads<E>, Number>
                 : rows<strategy, false, F, E, known, emit_threads<E>, Number>,
               {cells.blocks.n_blocks, emit_threads<E>}, stream, cells, sink,
               reference_element<E, Number>());
      });
    }
  } // namespace
} // namespace tessera

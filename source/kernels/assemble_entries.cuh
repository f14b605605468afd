#pragma once

#include "device_emit.cuh"
#include "device_writers.cuh"

// The kernels that write or add the entries of cell matrices, by blocks of
// `threads` threads.
namespace tessera
{
  namespace
  {
    /// Writes cell matrices, or their upper halves. Bytes a cell: 8 n^2 or
    /// 4 n (n + 1) written, vertices and coordinates read; with global_reuse
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

    /// Adds cell matrices to a matrix of rows. Bytes a cell: n^2 (1 + 2 x 8)
    /// for slots and values, 4 n for dofs, 8 n for row starts, geometry;
    /// with global_reuse the first two once a point.
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
  } // namespace
} // namespace tessera

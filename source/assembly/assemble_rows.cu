#include <tessera/base/launch.h>

#include "device_emit.cuh"
#include "device_writers.cuh"

namespace tessera
{
  namespace
  {
    /// Adds cell matrices to a matrix of rows. Bytes a cell: n^2 (1 + 2 x 8)
    /// for slots and values, 4 n for dofs, 8 n for row starts, geometry;
    /// with global_reuse the first two once a point.
    /// Blocks are full; padding has no slots.
    template <Strategy strategy, bool colored, class E, bool stored,
              class Number>
    TESSERA_KERNEL(emit_threads<E>, 1)
    void rows(TESSERA_ARGUMENT(AssemblyCells<Number>) in,
              TESSERA_ARGUMENT(SlotSink<Number>) sink,
              TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      using Sink = RowSlots<E::n, 32, Number>;
      emit_block<strategy, E, stored>(
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

    template <Strategy strategy, class E, bool stored, class Number>
    void
    launch_rows(const AssemblyCells<Number> &cells,
                const SlotSink<Number> &sink, const Stream stream)
    {
      const auto kernel = cells.conflict == Conflict::coloring
                            ? rows<strategy, true, E, stored, Number>
                            : rows<strategy, false, E, stored, Number>;
      launch(kernel, {cells.blocks.n_blocks, emit_threads<E>}, stream, cells,
             sink, reference_element<E, Number>());
    }
  } // namespace

  template <class E, class Number>
  void
  assemble_rows_on(Cuda, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, const Strategy strategy,
                   const Stream stream)
  {
    on_geometry(cells.cells, [&](const auto stored) {
      on_strategy(strategy, [&](const auto chosen) {
        launch_rows<decltype(chosen)::value, E, decltype(stored)::value>(
          cells, sink, stream);
      });
    });
  }

#define INSTANTIATE(E, Number)                                               \
  template void assemble_rows_on<E, Number>(                                 \
    Cuda, const AssemblyCells<Number> &, const SlotSink<Number> &, Strategy, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include <tessera/base/launch.h>

#include "append_writer.cuh"
#include "strategy_launches.h"
#include "this_form.h"

namespace tessera
{
  namespace
  {
    /// Appends cell matrices to rows. Bytes a cell: n^2 (8 + 4) for values and
    /// columns, 4 n for dofs, 2 x 4 n for lengths, geometry; with global_reuse
    /// values once more a point. Writes of neighbouring cells are neighbours
    /// where their rows are and have grown alike.
    /// Both conflict handlings are one kernel: they differ in the reservation
    /// alone. Blocks are full; padding has no rows.
    template <Strategy strategy, class F, class E, bool stored, class Number>
    TESSERA_KERNEL(emit_threads<E>, 1)
    void append(TESSERA_ARGUMENT(AssemblyCells<Number>) in,
                TESSERA_ARGUMENT(AppendSink<Number>) sink,
                TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      using Writer = AppendWriter<E::n, F::n_components, emit_lanes<E>, Number>;
      TESSERA_SHARED int starts[E::n * emit_lanes<E>];
      const bool colored = in.conflict == Conflict::coloring;
      emit_block<strategy, F, E, stored>(
        in, element, [&](const DeviceCell<Number> &cell, const bool active) {
          const Writer writer = {&sink,
                                 in.cells.dofs,
                                 {cell.batch, cell.lane},
                                 starts +
                                   device::thread_index() % emit_lanes<E>,
                                 active};
          writer.template reserve<emit_members<E>>(
            colored ? cell.load(in.cells.cell_color, 1, 0) : 0,
            colored ? in.cells.n_cell_colors : 1);
          return writer;
        });
    }
  } // namespace

  template <class F, class E, class Number>
  void
  append_rows_on(Cuda, const AssemblyCells<Number> &cells,
                 const AppendSink<Number> &sink, const Strategy strategy,
                 const Stream stream)
  {
    on_geometry(cells.cells, [&](const auto stored) {
      on_strategy(strategy, [&](const auto chosen) {
        launch(append<decltype(chosen)::value, F, E, decltype(stored)::value,
                      Number>,
               {cells.blocks.n_blocks, emit_threads<E>}, stream, cells, sink,
               reference_element<E, Number>());
      });
    });
  }

#define INSTANTIATE(E, Number)                                                 \
  template void append_rows_on<ThisForm<E::dim>, E, Number>(                   \
    Cuda, const AssemblyCells<Number> &, const AppendSink<Number> &, Strategy, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

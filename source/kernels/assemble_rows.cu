#include <tessera/base/launch.h>

#include "assemble_entries.cuh"
#include "this_form.h"

namespace tessera
{
  namespace
  {
    template <Strategy strategy, class F, class E, bool stored, class Number>
    void
    launch_rows(const AssemblyCells<Number> &cells,
                const SlotSink<Number> &sink, const Stream stream)
    {
      const auto kernel =
        cells.conflict == Conflict::coloring
          ? rows<strategy, true, F, E, stored, emit_threads<E>, Number>
          : rows<strategy, false, F, E, stored, emit_threads<E>, Number>;
      launch(kernel, {cells.blocks.n_blocks, emit_threads<E>}, stream, cells,
             sink, reference_element<E, Number>());
    }
  } // namespace

  template <class F, class E, class Number>
  void
  assemble_rows_on(Cuda, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, const Strategy strategy,
                   const Stream stream)
  {
    on_geometry(cells.cells, [&](const auto stored) {
      on_compiled_strategy<all_strategies<E>>(strategy, [&](const auto chosen) {
        launch_rows<decltype(chosen)::value, F, E, decltype(stored)::value>(
          cells, sink, stream);
      });
    });
  }

#define INSTANTIATE(E, Number)                                               \
  template void assemble_rows_on<ThisForm<E::dim>, E, Number>(               \
    Cuda, const AssemblyCells<Number> &, const SlotSink<Number> &, Strategy, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

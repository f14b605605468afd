#include <tessera/base/launch.h>

#include "assemble_entries.cuh"
#include "this_form.h"

namespace tessera
{
  namespace
  {
    template <Strategy strategy, class F, class E, bool stored, class Number>
    void
    launch_local(const AssemblyCells<Number> &cells, Number *values,
                 const bool upper, const Stream stream)
    {
      launch(upper
               ? local<strategy, true, F, E, stored, emit_threads<E>, Number>
               : local<strategy, false, F, E, stored, emit_threads<E>, Number>,
             {cells.blocks.n_blocks, emit_threads<E>}, stream, cells, values,
             reference_element<E, Number>());
    }
  } // namespace

  template <class F, class E, class Number>
  void
  assemble_local_on(Cuda, const AssemblyCells<Number> &cells, Number *values,
                    const bool upper, const Strategy strategy,
                    const Stream stream)
  {
    on_geometry(cells.cells, [&](const auto stored) {
      on_compiled_strategy<all_strategies<E>>(strategy, [&](const auto chosen) {
        launch_local<decltype(chosen)::value, F, E, decltype(stored)::value>(
          cells, values, upper, stream);
      });
    });
  }

#define INSTANTIATE(E, Number)                                  \
  template void assemble_local_on<ThisForm<E::dim>, E, Number>( \
    Cuda, const AssemblyCells<Number> &, Number *, bool, Strategy, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

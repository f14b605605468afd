#include "../../kernels/assemble_entries.cuh"
#include "strategy_launches.h"
#include "this_form.h"

namespace tessera
{
  template <class F, class E, class Number>
  void
  assemble_rows_by_on(Cuda, const AssemblyCells<Number> &cells,
                      const SlotSink<Number> &sink, const Strategy strategy,
                      const Stream stream)
  {
    on_other_strategy(strategy, [&](const auto chosen) {
      launch_rows<decltype(chosen)::value, F, E>(cells, sink, stream);
    });
  }

#define INSTANTIATE(E, Number)                                               \
  template void assemble_rows_by_on<ThisForm<E::dim>, E, Number>(            \
    Cuda, const AssemblyCells<Number> &, const SlotSink<Number> &, Strategy, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include "../../kernels/host_writers.cuh"
#include "strategy_launches.h"
#include "this_form.h"

namespace tessera
{
  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  assemble_rows_by_on(Target, const AssemblyCells<Number> &cells,
                      const SlotSink<Number> &sink, const Strategy strategy,
                      Stream)
  {
    on_other_strategy(strategy, [&](const auto chosen) {
      write_rows<decltype(chosen)::value, F, E, Target>(cells, sink);
    });
  }

  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  assemble_local_by_on(Target, const AssemblyCells<Number> &cells,
                       Number *values, const bool upper,
                       const Strategy strategy, Stream)
  {
    on_other_strategy(strategy, [&](const auto chosen) {
      write_local<decltype(chosen)::value, F, E, Target>(cells, values, upper);
    });
  }

#define INSTANTIATE(E, Number)                                            \
  template void assemble_rows_by_on<ThisForm<E::dim>, E, Number>(         \
    TESSERA_ISA, const AssemblyCells<Number> &, const SlotSink<Number> &, \
    Strategy, Stream);                                                    \
  template void assemble_local_by_on<ThisForm<E::dim>, E, Number>(        \
    TESSERA_ISA, const AssemblyCells<Number> &, Number *, bool, Strategy, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

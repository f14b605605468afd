#include "../../kernels/assemble_entries.cuh"
#include "strategy_launches.h"
#include "this_form.h"

namespace tessera
{
  template <class F, class E, class Number>
  void
  assemble_local_by_on(Cuda, const AssemblyCells<Number> &cells, Number *values,
                       const bool upper, const Strategy strategy,
                       const Stream stream)
  {
    on_other_strategy(strategy, [&](const auto chosen) {
      launch_local<decltype(chosen)::value, F, E>(cells, values, upper, stream);
    });
  }

#define INSTANTIATE(E, Number)                                     \
  template void assemble_local_by_on<ThisForm<E::dim>, E, Number>( \
    Cuda, const AssemblyCells<Number> &, Number *, bool, Strategy, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include <tessera/space/element.h>

#include "../../operators/local_matrices_host.h"
#include "differences.cuh"

namespace tessera
{
  template <class E, class Number, class Target, IfHost<Target>>
  void
  apply_differences(Target, const CellApply<Number> &apply,
                    const LocalValues<Number> &local, Stream)
  {
    on_components<E>(local.n_components, [&](const auto n) {
      constexpr int m = decltype(n)::value;
      if constexpr (m * E::n <= most_values_of_differences)
        apply_on_host<DifferenceEntries, E::n, m, Target>(apply, local);
      else
        throw std::logic_error("large cells store whole halves");
    });
  }

#define INSTANTIATE(E, Number)                                           \
  template void apply_differences<E, Number>(                            \
    TESSERA_ISA, const CellApply<Number> &, const LocalValues<Number> &, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

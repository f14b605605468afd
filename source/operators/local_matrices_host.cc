#include <tessera/space/element.h>

#include "local_matrices_host.h"

namespace tessera
{
  template <class E, class Number, class Target, IfHost<Target>>
  void
  apply_local_matrices(Target, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, Stream)
  {
    on_components<E>(local.n_components, [&](const auto n) {
      constexpr int n_components = decltype(n)::value;
      if (local.symmetric)
        apply_on_host<LocalEntries<true>, E::n, n_components, Target>(apply,
                                                                      local);
      else
        apply_on_host<LocalEntries<false>, E::n, n_components, Target>(apply,
                                                                       local);
    });
  }

#define INSTANTIATE(E, Number)                                           \
  template void apply_local_matrices<E, Number>(                         \
    TESSERA_ISA, const CellApply<Number> &, const LocalValues<Number> &, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include "local_matrices_device.cuh"

namespace tessera
{
  template <class E, class Number>
  void
  apply_local_matrices(Cuda, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, const Stream stream)
  {
    if (local.symmetric)
      launch_components<LocalEntries<true>, E>(apply, local, stream);
    else
      launch_components<LocalEntries<false>, E>(apply, local, stream);
  }

#define INSTANTIATE(E, Number)                                           \
  template void apply_local_matrices<E>(Cuda, const CellApply<Number> &, \
                                        const LocalValues<Number> &, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

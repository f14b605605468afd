#include "local_matrices_device.cuh"

namespace tessera
{
  template <class E>
  void
  apply_local_matrices(Cuda, const CellApply<double> &apply,
                       const LocalValues<double, float> &local,
                       const Stream stream)
  {
    launch_components<LocalEntries<true>, E>(apply, local, stream);
  }

#undef TESSERA_WITH_FLOAT
#define TESSERA_WITH_FLOAT 0
#define INSTANTIATE(E, Number)                                              \
  template void apply_local_matrices<E>(Cuda, const CellApply<Number> &,    \
                                        const LocalValues<Number, float> &, \
                                        Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

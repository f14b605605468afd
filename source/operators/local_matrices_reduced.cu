#include "local_matrices_device.cuh"

namespace tessera
{
  template <class E, class Number, class Stored>
  void
  apply_reduced_matrices(Cuda, const CellApply<Number> &apply,
                         const LocalValues<Number, Stored> &local,
                         const Stream stream)
  {
    if (local.entries == LocalEntries::off_diagonal)
      return launch_components<LocalEntries::off_diagonal, E>(apply, local,
                                                              stream);
    if constexpr (!std::is_same_v<Number, Stored>)
      launch_components<LocalEntries::upper, E>(apply, local, stream);
  }

#define INSTANTIATE(E, Number)                                                 \
  template void apply_reduced_matrices<E>(Cuda, const CellApply<Number> &,     \
                                          const LocalValues<Number, Number> &, \
                                          Stream);
#include <tessera/space/instantiate.inc>
#undef TESSERA_WITH_FLOAT
#define TESSERA_WITH_FLOAT 0
#define INSTANTIATE(E, Number)                                                \
  template void apply_reduced_matrices<E>(Cuda, const CellApply<Number> &,    \
                                          const LocalValues<Number, float> &, \
                                          Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include "../../operators/local_matrices_device.cuh"
#include "differences.cuh"

namespace tessera
{
  template <class E, class Number, class Stored>
  void
  apply_differences(Cuda, const CellApply<Number> &apply,
                    const LocalValues<Number, Stored> &local,
                    const Stream stream)
  {
    on_components<E>(local.n_components, [&](const auto n) {
      constexpr int m = decltype(n)::value;
      if constexpr (m * E::n <= most_values_of_differences)
        launch_local<DifferenceEntries, E, m>(apply, local, stream);
      else
        throw std::logic_error("large cells store whole halves");
    });
  }

#define INSTANTIATE(E, Number)                                            \
  template void apply_differences<E>(Cuda, const CellApply<Number> &,     \
                                     const LocalValues<Number, Number> &, \
                                     Stream);
#include <tessera/space/instantiate.inc>
#undef TESSERA_WITH_FLOAT
#define TESSERA_WITH_FLOAT 0
#define INSTANTIATE(E, Number)                                           \
  template void apply_differences<E>(Cuda, const CellApply<Number> &,    \
                                     const LocalValues<Number, float> &, \
                                     Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include <tessera/base/for_each.cuh>

#include "hybrid.cuh"

namespace tessera
{
  template void
  for_each_on_device(std::int64_t, const RestOfRows &, Stream);
  template void
  for_each_on_device(std::int64_t, const HybridPlaces &, Stream);
} // namespace tessera

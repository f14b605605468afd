#include <tessera/base/for_each.cuh>

#include "add_components.cuh"

namespace tessera
{
  template void
  for_each_on_device(std::int64_t, const ComponentSum<double> &, Stream);
  template void
  for_each_on_device(std::int64_t, const ComponentSum<float> &, Stream);
} // namespace tessera

#include <tessera/base/for_each.cuh>

#include "jacobi.cuh"

namespace tessera
{
  template void
  for_each_on_device(std::int64_t, const Inversion<double> &, Stream);
  template void
  for_each_on_device(std::int64_t, const Inversion<float> &, Stream);
  template void
  for_each_on_device(std::int64_t, const Scaling<double> &, Stream);
  template void
  for_each_on_device(std::int64_t, const Scaling<float> &, Stream);
} // namespace tessera

#include <tessera/base/for_each.cuh>

#include "permutation.cuh"

namespace tessera
{
  template void
  for_each_on_device(std::int64_t, const Permutation<double> &, Stream);
  template void
  for_each_on_device(std::int64_t, const Permutation<float> &, Stream);
} // namespace tessera

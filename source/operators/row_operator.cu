#include <tessera/base/for_each.cuh>

#include "row_operator.cuh"

namespace tessera
{
  template void
  for_each_on_device(std::int64_t, const DiagonalOfRow<double> &, Stream);
  template void
  for_each_on_device(std::int64_t, const DiagonalOfRow<float> &, Stream);
} // namespace tessera

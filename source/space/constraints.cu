#include <tessera/base/for_each.cuh>

#include "constraints.cuh"

namespace tessera
{
#define INSTANTIATE(Number)                                                    \
  template void for_each_on_device(std::int64_t, const Setting<Number> &,      \
                                   Stream);                                    \
  template void for_each_on_device(std::int64_t, const Hiding<Number> &,       \
                                   Stream);                                    \
  template void for_each_on_device(std::int64_t, const WeightedSums<Number> &, \
                                   Stream);                                    \
  template void pass_over_on_device(std::int64_t, const Showing<Number> &,     \
                                    const GridSums &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
  template void
  for_each_on_device(std::int64_t, const Increase &, Stream);
} // namespace tessera

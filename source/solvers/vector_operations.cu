#include <tessera/base/for_each.cuh>

#include "vector_operations.cuh"

namespace tessera
{
#define INSTANTIATE(Number)                                                    \
  template void pass_over_on_device(std::int64_t, const Combination<Number> &, \
                                    const GridSums &, Stream);                 \
  template void pass_over_on_device(std::int64_t, const DotProduct<Number> &,  \
                                    const GridSums &, Stream);                 \
  template void pass_over_on_device(std::int64_t, const AddAndDot<Number> &,   \
                                    const GridSums &, Stream);                 \
  template void pass_over_on_device(std::int64_t, const Magnitude<Number> &,   \
                                    const GridSums &, Stream);                 \
  template void for_each_on_device(std::int64_t, const Division<Number> &,     \
                                   Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera

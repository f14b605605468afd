#include <tessera/base/for_each.cuh>

#include "cg.cuh"

namespace tessera
{
#define INSTANTIATE_PASS(Work)                                          \
  template void pass_over_on_device(std::int64_t, const Work<double> &, \
                                    const GridSums &, Stream);          \
  template void pass_over_on_device(std::int64_t, const Work<float> &,  \
                                    const GridSums &, Stream);
  INSTANTIATE_PASS(CGResidual)
  INSTANTIATE_PASS(CGUpdate)
  INSTANTIATE_PASS(CGDot)
  INSTANTIATE_PASS(CGBegin)
  INSTANTIATE_PASS(CGAdvance)
#undef INSTANTIATE_PASS
} // namespace tessera

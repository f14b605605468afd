#include <tessera/base/for_each.cuh>

#include "constraints.cuh"

namespace tessera
{
#define INSTANTIATE(Number)              \
  TESSERA_FOR_EACH(Setting<Number>)      \
  TESSERA_FOR_EACH(Hiding<Number>)       \
  TESSERA_FOR_EACH(WeightedSums<Number>) \
  TESSERA_PASS_OVER(Showing<Number>)
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
  TESSERA_FOR_EACH(Increase)
} // namespace tessera

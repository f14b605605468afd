#include <tessera/base/for_each.cuh>

#include "traces.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(SamplePoint<double>)
} // namespace tessera

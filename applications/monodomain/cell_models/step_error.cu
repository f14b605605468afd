#include <tessera/base/for_each.cuh>

#include "step_error.cuh"

namespace tessera
{
  TESSERA_PASS_OVER(SumDifferences<double>)
} // namespace tessera

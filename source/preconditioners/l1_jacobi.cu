#include <tessera/base/for_each.cuh>

#include "l1_jacobi.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(SumOfMagnitudes<double>)
  TESSERA_FOR_EACH(SumOfMagnitudes<float>)
} // namespace tessera

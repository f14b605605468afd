#include <tessera/base/for_each.cuh>

#include "jacobi.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(Inversion<double>)
  TESSERA_FOR_EACH(Inversion<float>)
  TESSERA_FOR_EACH(Scaling<double>)
  TESSERA_FOR_EACH(Scaling<float>)
} // namespace tessera

#include <tessera/base/for_each.cuh>

#include "polynomial.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(FirstStep<double>)
  TESSERA_FOR_EACH(FirstStep<float>)
  TESSERA_FOR_EACH(NextStep<double>)
  TESSERA_FOR_EACH(NextStep<float>)
} // namespace tessera

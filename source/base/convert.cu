#include <tessera/base/for_each.cuh>

#include "convert.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(Conversion<float, double>)
  TESSERA_FOR_EACH(Conversion<double, float>)
  TESSERA_FOR_EACH(ConvertedAddition)
} // namespace tessera

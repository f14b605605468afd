#include <tessera/base/for_each.cuh>

#include "hybrid.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(RestOfRows)
  TESSERA_FOR_EACH(HybridPlaces)
} // namespace tessera

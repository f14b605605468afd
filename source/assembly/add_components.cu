#include <tessera/base/for_each.cuh>

#include "add_components.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(ComponentSum<double>)
  TESSERA_FOR_EACH(ComponentSum<float>)
} // namespace tessera

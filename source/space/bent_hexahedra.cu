#include <tessera/base/for_each.cuh>

#include "bent_hexahedra.cuh"

namespace tessera
{
  TESSERA_PASS_OVER(internal::CountBentHexahedra<double>)
  TESSERA_PASS_OVER(internal::CountBentHexahedra<float>)
} // namespace tessera

#include <tessera/base/for_each.cuh>

#include "lumped_operator.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(AddLumped<double>)
} // namespace tessera

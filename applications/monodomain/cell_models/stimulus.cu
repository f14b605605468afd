#include <tessera/base/for_each.cuh>

#include "stimulus.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(AddAtNodes<double>)
} // namespace tessera

#include <tessera/base/for_each.cuh>

#include "activation.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(ObservePotential<double>)
} // namespace tessera

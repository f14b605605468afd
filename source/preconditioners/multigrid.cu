#include <tessera/base/for_each.cuh>

#include "multigrid.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(MultigridResidual<double>)
  TESSERA_FOR_EACH(MultigridResidual<float>)
} // namespace tessera

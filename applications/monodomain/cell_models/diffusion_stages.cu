#include <tessera/base/for_each.cuh>

#include "diffusion_stages.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(DiffusionStage<double>)
} // namespace tessera

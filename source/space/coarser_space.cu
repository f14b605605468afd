#include <tessera/base/for_each.cuh>

#include "coarser_space.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(internal::MeanOfChildren)
} // namespace tessera

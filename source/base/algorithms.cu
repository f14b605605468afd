#include <tessera/base/for_each.cuh>

#include "algorithms.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(algorithms::SumOfNeighbours)
  TESSERA_FOR_EACH(algorithms::Numbering)
  TESSERA_FOR_EACH(algorithms::StartOfGroup)
} // namespace tessera

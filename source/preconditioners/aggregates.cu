#include <tessera/base/for_each.cuh>

#include "aggregates.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(SizeOfNode)
  TESSERA_FOR_EACH(StrongNeighbours)
  TESSERA_FOR_EACH(LeastOfNeighbours)
  TESSERA_FOR_EACH(DecideRoots)
  TESSERA_FOR_EACH(OpenNodes)
  TESSERA_FOR_EACH(JoinRoots)
  TESSERA_FOR_EACH(JoinStrongest)
  TESSERA_FOR_EACH(JoinLargest)
  TESSERA_FOR_EACH(IsRoot)
  TESSERA_FOR_EACH(NumberAggregates)
} // namespace tessera

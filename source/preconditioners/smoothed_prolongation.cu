#include <tessera/base/for_each.cuh>

#include "smoothed_prolongation.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(OrthonormalizeAggregate)
  TESSERA_FOR_EACH(BeginLanczos)
  TESSERA_FOR_EACH(LanczosDirection)
  TESSERA_FOR_EACH(LanczosProduct)
  TESSERA_FOR_EACH(LanczosStep)
  TESSERA_FOR_EACH(HasAggregate)
  TESSERA_FOR_EACH(ColumnOfAggregate)
  TESSERA_FOR_EACH(SmoothRow)
} // namespace tessera

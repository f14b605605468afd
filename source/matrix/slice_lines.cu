#include <tessera/base/for_each.cuh>

#include "packed_columns.cuh"
#include "short_columns.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(EachLine<MeasureGaps>)
  TESSERA_FOR_EACH(EachLine<PackGaps>)
  TESSERA_FOR_EACH(EachLine<MeasureReach>)
  TESSERA_FOR_EACH(EachLine<ShortenColumns>)
} // namespace tessera

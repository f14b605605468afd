#include <tessera/base/for_each.cuh>

#include "sparse_product.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(CollectProductRow)
  TESSERA_FOR_EACH(BoundOfProductRow)
  TESSERA_FOR_EACH(CollectLongRow)
  TESSERA_FOR_EACH(MultiplyRow<true>)
  TESSERA_FOR_EACH(MultiplyRow<false>)
  TESSERA_FOR_EACH(OneOnEmptyDiagonal)
} // namespace tessera

#include <tessera/base/for_each.cuh>

#include "block_jacobi.cuh"

namespace tessera
{
#define INSTANTIATE(Number)              \
  TESSERA_FOR_EACH(CollectBlock<Number>) \
  TESSERA_FOR_EACH(InvertBlock<Number>)  \
  TESSERA_FOR_EACH(ApplyBlock<Number>)
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera

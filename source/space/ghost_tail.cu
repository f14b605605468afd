#include <tessera/base/for_each.cuh>

#include "ghost_tail.cuh"

namespace tessera
{
#define INSTANTIATE(Number)           \
  TESSERA_FOR_EACH(Packing<Number>)   \
  TESSERA_FOR_EACH(Unpacking<Number>) \
  TESSERA_FOR_EACH(AddingUp<Number>)
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera

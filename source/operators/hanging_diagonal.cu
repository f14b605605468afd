#include <tessera/base/for_each.cuh>

#include "hanging_diagonal.cuh"

namespace tessera
{
#define INSTANTIATE(Number)                  \
  TESSERA_FOR_EACH(DiagonalOfSource<Number>) \
  TESSERA_FOR_EACH(AdditionOfEntries<Number>)
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera

#include <tessera/base/for_each.cuh>

#include "vector_operations.cuh"

namespace tessera
{
#define INSTANTIATE(Number)              \
  TESSERA_PASS_OVER(Combination<Number>) \
  TESSERA_PASS_OVER(DotProduct<Number>)  \
  TESSERA_PASS_OVER(AddAndDot<Number>)   \
  TESSERA_PASS_OVER(Magnitude<Number>)   \
  TESSERA_FOR_EACH(Division<Number>)
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera

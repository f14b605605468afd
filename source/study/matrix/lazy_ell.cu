#include <tessera/base/for_each.cuh>

#include "lazy_ell.cuh"

namespace tessera
{
#define INSTANTIATE(Number)                       \
  TESSERA_FOR_EACH(ConsolidateRow<true, Number>)  \
  TESSERA_FOR_EACH(ConsolidateRow<false, Number>) \
  TESSERA_FOR_EACH(IdentityRow<Number>)
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera

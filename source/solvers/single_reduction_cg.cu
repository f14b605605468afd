#include <tessera/base/for_each.cuh>

#include "single_reduction_cg.cuh"

namespace tessera
{
#define INSTANTIATE(Number)                          \
  TESSERA_FOR_EACH(Rounding<Number>)                 \
  TESSERA_PASS_OVER(SingleReductionResidual<Number>) \
  TESSERA_PASS_OVER(SingleReductionBegin<Number>)    \
  TESSERA_PASS_OVER(SingleReductionAdvance<Number>)  \
  TESSERA_PASS_OVER(SingleReductionFinish<Number>)
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera

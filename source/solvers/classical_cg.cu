#include <tessera/base/for_each.cuh>

#include "classical_cg.cuh"

namespace tessera
{
#define INSTANTIATE_PASS(Work)    \
  TESSERA_PASS_OVER(Work<double>) \
  TESSERA_PASS_OVER(Work<float>)
  INSTANTIATE_PASS(CGResidual)
  INSTANTIATE_PASS(CGRightHandSide)
  INSTANTIATE_PASS(CGTrueResidual)
  INSTANTIATE_PASS(CGUpdate)
  INSTANTIATE_PASS(CGDot)
  INSTANTIATE_PASS(CGBegin)
  INSTANTIATE_PASS(CGAdvance)
#undef INSTANTIATE_PASS
} // namespace tessera

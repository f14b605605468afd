#include <tessera/base/for_each.cuh>

#include "point_evaluator.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(internal::EvaluateAtPoint<2>)
  TESSERA_FOR_EACH(internal::EvaluateAtPoint<3>)
  TESSERA_FOR_EACH(internal::LargestDifference)
  TESSERA_FOR_EACH(internal::SetComponent)
  TESSERA_FOR_EACH(internal::CopyCells)
  TESSERA_FOR_EACH(internal::AddTerms)
  TESSERA_PASS_OVER(internal::WeightedSquares)
  TESSERA_PASS_OVER(internal::WeightedValues)
  TESSERA_PASS_OVER(internal::BadValues)
} // namespace tessera

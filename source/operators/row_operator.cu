#include <tessera/base/for_each.cuh>

#include "row_operator.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(DiagonalOfRow<double>)
  TESSERA_FOR_EACH(DiagonalOfRow<float>)
} // namespace tessera

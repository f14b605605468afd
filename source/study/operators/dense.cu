#include <tessera/base/for_each.cuh>

#include "dense.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(DenseRow<double>)
  TESSERA_FOR_EACH(DenseRow<float>)
} // namespace tessera

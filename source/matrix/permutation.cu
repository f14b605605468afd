#include <tessera/base/for_each.cuh>

#include "permutation.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(Permutation<double>)
  TESSERA_FOR_EACH(Permutation<float>)
} // namespace tessera

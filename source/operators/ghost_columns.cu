#include <tessera/base/for_each.cuh>

#include "ghost_columns.cuh"

namespace tessera
{
  TESSERA_PASS_OVER(AdditionOfColumns<double>)
  TESSERA_PASS_OVER(AdditionOfColumns<float>)
} // namespace tessera

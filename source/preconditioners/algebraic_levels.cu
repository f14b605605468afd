#include <tessera/base/for_each.cuh>

#include "algebraic_levels.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(CheckRow)
  TESSERA_FOR_EACH(HashedVectors)
  TESSERA_FOR_EACH(CompareTranspose)
  TESSERA_FOR_EACH(BeginModes)
} // namespace tessera

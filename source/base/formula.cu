#include <tessera/base/for_each.cuh>

#include "formula.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(FormulaAtPoint)
} // namespace tessera

#include <tessera/base/for_each.cuh>

#include "membrane.cuh"

namespace tessera
{
#define TESSERA_CELL_MODEL(name, sentence, source, Class) \
  TESSERA_FOR_EACH(AdvanceCell<Class, double, false>)     \
  TESSERA_FOR_EACH(AdvanceCell<Class, double, true>)
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
} // namespace tessera

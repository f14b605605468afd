#include <tessera/base/for_each.cuh>

#include "point_membrane.cuh"

namespace tessera
{
#define TESSERA_CELL_MODEL(name, sentence, source, Class) \
  TESSERA_FOR_EACH(LinearizePoint<Class, double>)
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
  TESSERA_FOR_EACH(SetReaction<double>)
} // namespace tessera

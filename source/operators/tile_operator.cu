#include <tessera/base/for_each.cuh>

#include "tile_kernels.h"

namespace tessera
{
  TESSERA_FOR_EACH(FirstRowOfTile<std::int32_t>)
  TESSERA_FOR_EACH(FirstRowOfTile<std::int64_t>)
} // namespace tessera

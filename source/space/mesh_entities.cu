#include <tessera/base/for_each.cuh>

#include "mesh_entities.cuh"

namespace tessera
{
#define TESSERA_ENTITIES(type, d)                             \
  TESSERA_FOR_EACH(internal::LowestCorner<CellType::type, d>) \
  TESSERA_FOR_EACH(internal::MatchEntities<CellType::type, d>)
  TESSERA_ENTITIES(quadrilateral, 1)
  TESSERA_ENTITIES(triangle, 1)
  TESSERA_ENTITIES(hexahedron, 1)
  TESSERA_ENTITIES(hexahedron, 2)
  TESSERA_ENTITIES(tetrahedron, 1)
  TESSERA_ENTITIES(tetrahedron, 2)
#undef TESSERA_ENTITIES
  TESSERA_FOR_EACH(internal::CountFirsts)
  TESSERA_FOR_EACH(internal::NumberEntities)
} // namespace tessera

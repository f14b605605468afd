#include <tessera/base/for_each.cuh>

#include "mesh_refinement.cuh"

namespace tessera
{
#define TESSERA_CHILDREN(type)                                     \
  TESSERA_FOR_EACH(internal::MiddlesOfEntities<CellType::type, 1>) \
  TESSERA_FOR_EACH(internal::MakeChildren<CellType::type>)         \
  TESSERA_FOR_EACH(internal::MakeBoundary<CellType::type>)
  TESSERA_CHILDREN(quadrilateral)
  TESSERA_CHILDREN(hexahedron)
  TESSERA_CHILDREN(triangle)
  TESSERA_CHILDREN(tetrahedron)
#undef TESSERA_CHILDREN
  TESSERA_FOR_EACH(internal::MiddlesOfEntities<CellType::hexahedron, 2>)
  TESSERA_FOR_EACH(internal::MiddlesOfCells<CellType::quadrilateral>)
  TESSERA_FOR_EACH(internal::MiddlesOfCells<CellType::hexahedron>)
  TESSERA_FOR_EACH(internal::MiddlesOfFaces)
  TESSERA_FOR_EACH(internal::CopyPoints)
} // namespace tessera

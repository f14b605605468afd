#include <tessera/base/for_each.cuh>

#include "mesh_numbering.cuh"

namespace tessera
{
#define TESSERA_NODES(type)                               \
  TESSERA_FOR_EACH(internal::NumberNodes<CellType::type>) \
  TESSERA_FOR_EACH(internal::NodesOfFace<CellType::type>)
  TESSERA_NODES(quadrilateral)
  TESSERA_NODES(hexahedron)
  TESSERA_NODES(triangle)
  TESSERA_NODES(tetrahedron)
#undef TESSERA_NODES
  TESSERA_FOR_EACH(internal::MarkNodes)
} // namespace tessera

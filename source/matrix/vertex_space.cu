#include <tessera/base/for_each.cuh>

#include "vertex_space.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(internal::OwnedNode)
  TESSERA_FOR_EACH(internal::MarkVertexNode)
  TESSERA_FOR_EACH(internal::ListVertexNode)
  TESSERA_FOR_EACH(internal::VertexRow)
} // namespace tessera

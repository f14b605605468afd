#include <tessera/base/for_each.cuh>

#include "mesh_arrays.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(internal::BadVertices)
  TESSERA_FOR_EACH(internal::BadCorners)
  TESSERA_FOR_EACH(internal::BadShapes<CellType::quadrilateral>)
  TESSERA_FOR_EACH(internal::BadShapes<CellType::hexahedron>)
  TESSERA_FOR_EACH(internal::BadShapes<CellType::triangle>)
  TESSERA_FOR_EACH(internal::BadShapes<CellType::tetrahedron>)
  TESSERA_FOR_EACH(internal::BadFaces)
  TESSERA_FOR_EACH(internal::BadBoundaryFaces)
} // namespace tessera

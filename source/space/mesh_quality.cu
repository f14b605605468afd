#include <tessera/base/for_each.cuh>

#include "mesh_distortion.cuh"

namespace tessera
{
#define TESSERA_SHAPES(type)                                 \
  TESSERA_FOR_EACH(internal::QualityOfCells<CellType::type>) \
  TESSERA_FOR_EACH(internal::EdgesOfCells<CellType::type>)   \
  TESSERA_FOR_EACH(internal::FixBoundary<CellType::type>)    \
  TESSERA_FOR_EACH(internal::SpoiledCells<CellType::type>)
  TESSERA_SHAPES(quadrilateral)
  TESSERA_SHAPES(hexahedron)
  TESSERA_SHAPES(triangle)
  TESSERA_SHAPES(tetrahedron)
#undef TESSERA_SHAPES
  TESSERA_FOR_EACH(internal::FirstWorst)
  TESSERA_FOR_EACH(internal::MoveVertex<2>)
  TESSERA_FOR_EACH(internal::MoveVertex<3>)
  TESSERA_FOR_EACH(internal::HalveSteps)
} // namespace tessera

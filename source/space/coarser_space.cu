#include <tessera/base/for_each.cuh>

#include "coarser_coefficient.cuh"
#include "coarser_space.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(internal::OwnNodes)
  TESSERA_FOR_EACH(internal::MarkKeys)
  TESSERA_FOR_EACH(internal::NumberKeys)
  TESSERA_FOR_EACH(internal::FindCoarser)
  TESSERA_FOR_EACH(internal::KeysBefore)
  TESSERA_FOR_EACH(internal::WriteLattice)
  TESSERA_FOR_EACH(internal::FindMisfits<CellType::quadrilateral>)
  TESSERA_FOR_EACH(internal::FindMisfits<CellType::hexahedron>)
  TESSERA_FOR_EACH(internal::InvertOrder)
  TESSERA_FOR_EACH(internal::FreeGroups)
  TESSERA_FOR_EACH(internal::MeanOfChildren)
  TESSERA_FOR_EACH(internal::FindHindrances<CellType::quadrilateral>)
  TESSERA_FOR_EACH(internal::FindHindrances<CellType::hexahedron>)
  TESSERA_PASS_OVER(internal::CountHindrances)
} // namespace tessera

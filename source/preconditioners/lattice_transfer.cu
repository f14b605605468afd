#include <tessera/base/for_each.cuh>

#include "lattice_transfer.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(ProlongateLattice<double>)
  TESSERA_FOR_EACH(ProlongateLattice<float>)
  TESSERA_FOR_EACH(RestrictCell<double>)
  TESSERA_FOR_EACH(RestrictCell<float>)
  TESSERA_FOR_EACH(SumOfCells<double>)
  TESSERA_FOR_EACH(SumOfCells<float>)
} // namespace tessera

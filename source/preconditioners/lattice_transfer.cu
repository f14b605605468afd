#include <tessera/base/for_each.cuh>

#include "lattice_transfer.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(ProlongateLattice<double>)
  TESSERA_FOR_EACH(ProlongateLattice<float>)
  TESSERA_FOR_EACH(RestrictLattice<double>)
  TESSERA_FOR_EACH(RestrictLattice<float>)
} // namespace tessera

#include "assemble_entries.cuh"
#include "this_form.h"

namespace tessera
{
  template <class F, class E, class Number>
  void
  assemble_local_on(Cuda, const AssemblyCells<Number> &cells, Number *values,
                    const bool upper, const Stream stream)
  {
    launch_local<Strategy::keeps_points, F, E>(cells, values, upper, stream);
  }

#define INSTANTIATE(E, Number)                                  \
  template void assemble_local_on<ThisForm<E::dim>, E, Number>( \
    Cuda, const AssemblyCells<Number> &, Number *, bool, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

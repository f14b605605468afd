#include "assemble_entries.cuh"
#include "this_form.h"

namespace tessera
{
  template <class F, class E, class Number>
  void
  assemble_rows_on(Cuda, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, const Stream stream)
  {
    launch_rows<Strategy::keeps_points, F, E>(cells, sink, stream);
  }

#define INSTANTIATE(E, Number)                                 \
  template void assemble_rows_on<ThisForm<E::dim>, E, Number>( \
    Cuda, const AssemblyCells<Number> &, const SlotSink<Number> &, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

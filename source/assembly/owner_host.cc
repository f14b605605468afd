#include <tessera/space/host_cells.h>

#include "owner.cuh"
#include "row_in_place.h"

namespace tessera
{
  namespace
  {
    template <class E, class Target, class Slot, class Number>
    TESSERA_HOST void
    own_all(const OwnedRows<Number> &in, const Slot *slots)
    {
      const auto element = reference_element<E, Number>();
      on_geometry(in.cells, [&](const auto stored) {
#pragma omp parallel for schedule(static)
        for (int row = 0; row < in.sink.n_rows; ++row)
          {
            RowInPlace<Number> sums{in.sink, row};
            for_each_owned_entry<E, decltype(stored)::value,
                                 HostLane<Target, Number>>(in, slots, element,
                                                           row, sums);
          }
      });
    }
  } // namespace


  template <class E, class Number, class Target, IfHost<Target>>
  void
  assemble_owned(Target, const OwnedRows<Number> &rows, Stream)
  {
    if (rows.sink.slots_8 != nullptr)
      own_all<E, Target>(rows, rows.sink.slots_8);
    else
      own_all<E, Target>(rows, rows.sink.slots_16);
  }


#define INSTANTIATE(E, Number)                         \
  template void assemble_owned<E, Number>(TESSERA_ISA, \
                                          const OwnedRows<Number> &, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include "host_writers.cuh"
#include "this_form.h"

namespace tessera
{
  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  assemble_rows_on(Target, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, Stream)
  {
    write_rows<Strategy::keeps_points, F, E, Target>(cells, sink);
  }

  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  assemble_local_on(Target, const AssemblyCells<Number> &cells, Number *values,
                    const bool upper, Stream)
  {
    write_local<Strategy::keeps_points, F, E, Target>(cells, values, upper);
  }

  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  assemble_diagonal_on(Target, const AssemblyCells<Number> &cells, Number *d,
                       Stream)
  {
    constexpr int lanes    = Target::template lanes<Number>;
    constexpr Strategy way = diagonal_strategy<F, E, Strategy::keeps_points>;
    scatter_all<way, F, E, Target>(cells, [&](const LanePlace<lanes> place) {
      return Diagonal<E::n, F::n_components, lanes, Number>{d, cells.cells.dofs,
                                                            place};
    });
  }

#define INSTANTIATE(E, Number)                                            \
  template void assemble_rows_on<ThisForm<E::dim>, E, Number>(            \
    TESSERA_ISA, const AssemblyCells<Number> &, const SlotSink<Number> &, \
    Stream);                                                              \
  template void assemble_local_on<ThisForm<E::dim>, E, Number>(           \
    TESSERA_ISA, const AssemblyCells<Number> &, Number *, bool, Stream);  \
  template void assemble_diagonal_on<ThisForm<E::dim>, E, Number>(        \
    TESSERA_ISA, const AssemblyCells<Number> &, Number *, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include <tessera/base/launch.h>

#include "device_emit.cuh"
#include "device_writers.cuh"

namespace tessera
{
  namespace
  {
    /// Writes cell matrices, or their upper halves. Bytes a cell: 8 n^2 or
    /// 4 n (n + 1) written, vertices and coordinates read; with global_reuse
    /// values are written once a point, and read again for all but the first.
    template <Strategy strategy, bool upper, class E, bool stored, class Number>
    TESSERA_KERNEL(emit_threads<E>, 1)
    void local(TESSERA_ARGUMENT(AssemblyCells<Number>) in, Number *values,
               TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      emit_block<strategy, E, stored>(
        in, element, [&](const DeviceCell<Number> &cell, const bool active) {
          return LocalWriter<upper, E::n, Number>{cell, values, active};
        });
    }

    template <Strategy strategy, class E, bool stored, class Number>
    void
    launch_local(const AssemblyCells<Number> &cells, Number *values,
                 const bool upper, const Stream stream)
    {
      launch(upper ? local<strategy, true, E, stored, Number>
                   : local<strategy, false, E, stored, Number>,
             {cells.blocks.n_blocks, emit_threads<E>}, stream, cells, values,
             reference_element<E, Number>());
    }
  } // namespace

  template <class E, class Number>
  void
  assemble_local_on(Cuda, const AssemblyCells<Number> &cells, Number *values,
                    const bool upper, const Strategy strategy,
                    const Stream stream)
  {
    on_geometry(cells.cells, [&](const auto stored) {
      on_strategy(strategy, [&](const auto chosen) {
        launch_local<decltype(chosen)::value, E, decltype(stored)::value>(
          cells, values, upper, stream);
      });
    });
  }

#define INSTANTIATE(E, Number)                \
  template void assemble_local_on<E, Number>( \
    Cuda, const AssemblyCells<Number> &, Number *, bool, Strategy, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

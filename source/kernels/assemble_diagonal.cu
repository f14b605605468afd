#include <tessera/base/launch.h>

#include "device_emit.cuh"
#include "device_writers.cuh"
#include "this_form.h"

namespace tessera
{
  namespace
  {
    /// Adds the diagonals of cell matrices to a vector.
    template <bool colored, class F, class E, bool stored, class Number>
    TESSERA_KERNEL(emit_threads<E>, 1)
    void diagonal(TESSERA_ARGUMENT(AssemblyCells<Number>) in, Number *d,
                  TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      using Sink = Diagonal<E::n, F::n_components, 32, Number>;
      // What a form makes of the solution is worth keeping.
      constexpr Strategy rows =
        F::reads_solution ? Strategy::keeps_points : Strategy::repeats_points;
      emit_block<diagonal_strategy<F, E, rows>, F, E, stored>(
        in, element, [&](const DeviceCell<Number> &cell, const bool active) {
          const Sink sink = {d, in.cells.dofs, {cell.batch, cell.lane}};
          if constexpr (colored)
            return ColorWriter<Sink, Number>{
              sink, cell.load(in.cells.cell_color, 1, 0),
              in.cells.n_cell_colors, active};
          else
            return AtomicWriter<Sink, Number>{sink, active};
        });
    }
  } // namespace

  template <class F, class E, class Number>
  void
  assemble_diagonal_on(Cuda, const AssemblyCells<Number> &cells, Number *d,
                       const Stream stream)
  {
    on_geometry(cells.cells, [&](const auto stored) {
      constexpr bool known = decltype(stored)::value;
      launch(cells.conflict == Conflict::coloring
               ? diagonal<true, F, E, known, Number>
               : diagonal<false, F, E, known, Number>,
             {cells.blocks.n_blocks, emit_threads<E>}, stream, cells, d,
             reference_element<E, Number>());
    });
  }

#define INSTANTIATE(E, Number)                                     \
  template void assemble_diagonal_on<ThisForm<E::dim>, E, Number>( \
    Cuda, const AssemblyCells<Number> &, Number *, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include <tessera/base/launch.h>
#include <tessera/forms/laplace.h>
#include <tessera/space/device_cells.cuh>

#include "assemble_kernels.h"
#include "device_writers.cuh"
#include "strategies.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = CellData<double>::device_threads;

    /// Adds cell matrices to a matrix of rows, one thread a cell. Bytes a
    /// cell: n^2 (1 + 2 x 8) for slots and values, 4 n for dofs, 8 n for row
    /// starts, geometry. Blocks are full; padding has no slots.
    template <Strategy strategy, bool colored, int degree, class Number>
    TESSERA_KERNEL(threads)
    void rows(TESSERA_ARGUMENT(AssemblyCells<Number>) in,
              TESSERA_ARGUMENT(SlotSink<Number>) sink,
              TESSERA_ARGUMENT(ReferenceElement<degree, Number>) element)
    {
      constexpr int n      = (degree + 1) * (degree + 1);
      constexpr int stride = metric_scratch<strategy, degree, Number>;
      TESSERA_SHARED Number scratch[stride > 0 ? n * stride : 1];
      using Sink         = RowSlots<n, 32, Number>;
      const auto cell    = cell_of_thread(in.cells, in.blocks);
      const Sink slots   = {&sink, in.cells.dofs, {cell.batch, cell.lane}};
      const auto emit_to = [&](auto writer) {
        Number vertices[4][2];
        cell.vertices(in.cells, vertices);
        emit_cell_matrix<strategy, Laplace, degree, stride>(
          element, BilinearGeometry<Number>(vertices),
          [&](const int q, Number(&k)[Laplace::n_coefficients]) {
            cell.coefficient(in.kappa, q, k);
          },
          writer, scratch + (stride > 0 ? device::thread_index() : 0));
      };
      if (colored)
        emit_to(ColorWriter<Sink, Number>{
          slots, cell.load(in.cells.cell_color, 1, 0), in.cells.n_cell_colors});
      else
        emit_to(AtomicWriter<Sink, Number>{slots});
    }

    template <Strategy strategy, int degree, class Number>
    void
    launch_rows(const AssemblyCells<Number> &cells,
                const SlotSink<Number> &sink, const Stream stream)
    {
      const auto kernel = cells.conflict == Conflict::coloring
                            ? rows<strategy, true, degree, Number>
                            : rows<strategy, false, degree, Number>;
      launch(kernel, {cells.blocks.n_blocks, threads}, stream, cells, sink,
             reference_element<degree, Number>());
    }
  } // namespace

  template <int degree, class Number>
  void
  assemble_rows_on(Cuda, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, const Strategy strategy,
                   const Stream stream)
  {
    if (strategy == Strategy::local_reuse)
      launch_rows<Strategy::local_reuse, degree>(cells, sink, stream);
    else
      launch_rows<Strategy::redundant_compute, degree>(cells, sink, stream);
  }

#define INSTANTIATE(degree, Number)                                          \
  template void assemble_rows_on<degree, Number>(                            \
    Cuda, const AssemblyCells<Number> &, const SlotSink<Number> &, Strategy, \
    Stream);
#include <tessera/base/instantiate.inc>
} // namespace tessera

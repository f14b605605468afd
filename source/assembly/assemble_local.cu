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

    /// Writes cell matrices, or their upper halves, one thread a cell. Bytes a
    /// cell: 8 n^2 or 4 n (n + 1) written, 16 and the coordinates read.
    template <Strategy strategy, bool upper, int degree, class Number>
    TESSERA_KERNEL(threads)
    void local(TESSERA_ARGUMENT(AssemblyCells<Number>) in, Number *values,
               TESSERA_ARGUMENT(ReferenceElement<degree, Number>) element)
    {
      constexpr int n      = (degree + 1) * (degree + 1);
      constexpr int stride = metric_scratch<strategy, degree, Number>;
      TESSERA_SHARED Number scratch[stride > 0 ? n * stride : 1];
      const auto cell = cell_of_thread(in.cells, in.blocks);
      Number vertices[4][2];
      cell.vertices(in.cells, vertices);
      LocalWriter<upper, n, Number> writer{cell, values};
      emit_cell_matrix<strategy, Laplace, degree, stride>(
        element, BilinearGeometry<Number>(vertices),
        [&](const int q, Number(&k)[Laplace::n_coefficients]) {
          cell.coefficient(in.kappa, q, k);
        },
        writer, scratch + (stride > 0 ? device::thread_index() : 0));
    }

    template <Strategy strategy, int degree, class Number>
    void
    launch_local(const AssemblyCells<Number> &cells, Number *values,
                 const bool upper, const Stream stream)
    {
      launch(upper ? local<strategy, true, degree, Number>
                   : local<strategy, false, degree, Number>,
             {cells.blocks.n_blocks, threads}, stream, cells, values,
             reference_element<degree, Number>());
    }
  } // namespace

  template <int degree, class Number>
  void
  assemble_local_on(Cuda, const AssemblyCells<Number> &cells, Number *values,
                    const bool upper, const Strategy strategy,
                    const Stream stream)
  {
    if (strategy == Strategy::local_reuse)
      launch_local<Strategy::local_reuse, degree>(cells, values, upper, stream);
    else
      launch_local<Strategy::redundant_compute, degree>(cells, values, upper,
                                                        stream);
  }

#define INSTANTIATE(degree, Number)                \
  template void assemble_local_on<degree, Number>( \
    Cuda, const AssemblyCells<Number> &, Number *, bool, Strategy, Stream);
#include <tessera/base/instantiate.inc>
} // namespace tessera

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

    /// Adds the diagonals of cell matrices to a vector, one thread a cell.
    template <int degree, class Number>
    TESSERA_KERNEL(threads, 4)
    void diagonal(TESSERA_ARGUMENT(AssemblyCells<Number>) in, Number *d,
                  TESSERA_ARGUMENT(ReferenceElement<degree, Number>) element)
    {
      constexpr int n    = (degree + 1) * (degree + 1);
      using Sink         = Diagonal<n, 32, Number>;
      const auto cell    = cell_of_thread(in.cells, in.blocks);
      const Sink sink    = {d, in.cells.dofs, {cell.batch, cell.lane}};
      const auto emit_to = [&](auto writer) {
        Number vertices[4][2];
        cell.vertices(in.cells, vertices);
        emit_cell_matrix<Strategy::redundant_compute, Laplace, degree, 0>(
          element, BilinearGeometry<Number>(vertices),
          [&](const int q, Number(&k)[Laplace::n_coefficients]) {
            cell.coefficient(in.kappa, q, k);
          },
          writer);
      };
      if (in.conflict == Conflict::coloring)
        emit_to(ColorWriter<Sink, Number>{
          sink, cell.load(in.cells.cell_color, 1, 0), in.cells.n_cell_colors});
      else
        emit_to(AtomicWriter<Sink, Number>{sink});
    }
  } // namespace

  template <int degree, class Number>
  void
  assemble_diagonal_on(Cuda, const AssemblyCells<Number> &cells, Number *d,
                       const Stream stream)
  {
    launch(diagonal<degree, Number>, {cells.blocks.n_blocks, threads}, stream,
           cells, d, reference_element<degree, Number>());
  }

#define INSTANTIATE(degree, Number)                   \
  template void assemble_diagonal_on<degree, Number>( \
    Cuda, const AssemblyCells<Number> &, Number *, Stream);
#include <tessera/base/instantiate.inc>
} // namespace tessera

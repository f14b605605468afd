#include <tessera/base/launch.h>
#include <tessera/space/device_scatter.cuh>

#include "load_vector.cuh"
#include "load_vector_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = CellData<double>::device_threads;

    /// b += load, one thread a cell.
    template <int degree, class Number>
    TESSERA_KERNEL(threads, 2)
    void load(TESSERA_ARGUMENT(CellApply<Number>) apply,
              TESSERA_ARGUMENT(CoefficientView<Number>) source,
              TESSERA_ARGUMENT(ReferenceElement<degree, Number>) element)
    {
      constexpr int n1 = degree + 1;
      const auto cell  = cell_of_thread(apply.cells, apply.blocks);
      Number r[n1 * n1], vertices[4][2];
      cell.vertices(apply.cells, vertices);
      cell_load(
        element, BilinearGeometry<Number>(vertices),
        [&](const int q, Number(&f)[1]) { cell.coefficient(source, q, f); }, r);
      scatter<n1>(cell, apply, r);
    }
  } // namespace

  template <int degree, class Number>
  void
  add_load_on(Cuda, const CellApply<Number> &apply,
              const CoefficientView<Number> &source, const Stream stream)
  {
    launch(load<degree, Number>, {apply.blocks.n_blocks, threads}, stream,
           apply, source, reference_element<degree, Number>());
  }

#define INSTANTIATE(degree, Number)          \
  template void add_load_on<degree, Number>( \
    Cuda, const CellApply<Number> &, const CoefficientView<Number> &, Stream);
#include <tessera/base/instantiate.inc>
} // namespace tessera

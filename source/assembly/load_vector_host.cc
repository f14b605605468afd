#include <tessera/space/host_scatter.h>

#include "load_vector.cuh"
#include "load_vector_kernels.h"

namespace tessera
{
  template <int degree, class Number, class Target, IfHost<Target>>
  void
  add_load_on(Target, const CellApply<Number> &apply,
              const CoefficientView<Number> &source, Stream)
  {
    using Cells        = HostCells<Target, Number>;
    using Value        = typename Cells::Value;
    const auto element = reference_element<degree, Number>();
    for_each_batch<Number>(
      apply.blocks, apply.batches_per_block, apply.conflict, nullptr,
      [&](const std::int64_t index) {
        constexpr int n = (degree + 1) * (degree + 1);
        const Cells batch(index);
        Value r[n], vertices[4][2];
        batch.vertices(apply.cells, vertices);
        cell_load(
          element, BilinearGeometry<Value>(vertices),
          [&](const int q, Value(&f)[1]) { batch.coefficient(source, q, f); },
          r);
        scatter(batch, apply, r);
        return Number(0);
      });
  }

#define INSTANTIATE(degree, Number)                                          \
  template void add_load_on<degree, Number>(                                 \
    TESSERA_ISA, const CellApply<Number> &, const CoefficientView<Number> &, \
    Stream);
#include <tessera/base/instantiate.inc>
} // namespace tessera

#include <tessera/forms/laplace.h>

#include "matrix_free.cuh"
#include "matrix_free_kernels.h"
#include <tessera/space/host_scatter.h>

namespace tessera
{
  template <int degree, class Number, class Target, IfHost<Target>>
  void
  apply_matrix_free(Target, const CellApply<Number> &apply,
                    const CoefficientView<Number> &coefficient, Stream)
  {
    using Cells        = HostCells<Target, Number>;
    using Value        = typename Cells::Value;
    const auto element = reference_element<degree, Number>();

    for_each_batch(apply.blocks, apply.batches_per_block, apply.conflict,
                   apply.sum.result != nullptr ? apply.sum.partial : nullptr,
                   [&](const std::int64_t index) {
                     constexpr int n = (degree + 1) * (degree + 1);
                     const Cells batch(index);
                     RegisterValues<n, Value> u;
                     Value r[n], vertices[4][2];
                     gather(batch, apply.cells, apply.x, u.values);
                     batch.vertices(apply.cells, vertices);
                     cell_product<Laplace, degree>(
                       element, BilinearGeometry<Value>(vertices),
                       [&](const int q, Value(&k)[Laplace::n_coefficients]) {
                         batch.coefficient(coefficient, q, k);
                       },
                       u, r);
                     scatter(batch, apply, r);
                     return apply.sum.result != nullptr ? energy(u.values, r)
                                                        : Number(0);
                   });
  }

#define INSTANTIATE(degree, Number)                                          \
  template void apply_matrix_free<degree, Number>(                           \
    TESSERA_ISA, const CellApply<Number> &, const CoefficientView<Number> &, \
    Stream);
#include <tessera/base/instantiate.inc>
} // namespace tessera

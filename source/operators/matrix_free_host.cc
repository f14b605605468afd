#include <tessera/forms/laplace.h>

#include "matrix_free.cuh"
#include "matrix_free_kernels.h"
#include <tessera/space/host_scatter.h>

namespace tessera
{
  namespace
  {
    template <class E, bool stored, class Target, class Number>
    TESSERA_HOST void
    apply_all(const CellApply<Number> &apply,
              const CoefficientView<Number> &coefficient)
    {
      using Form         = Laplace<E::dim>;
      using Cells        = HostCells<Target, Number>;
      using Value        = typename Cells::Value;
      const auto element = reference_element<E, Number>();

      for_each_batch(apply.blocks, apply.batches_per_block, apply.conflict,
                     apply.sum.result != nullptr ? apply.sum.partial : nullptr,
                     [&](const std::int64_t index) {
                       const Cells batch(index);
                       RegisterValues<E::n, Value> u;
                       Value r[E::n];
                       gather(batch, apply.cells, apply.x, u.values);
                       with_geometry<E, stored>(
                         batch, apply.cells, [&](const auto &geometry) {
                           cell_product<Form, E>(
                             element, geometry,
                             [&](const int q, Value(&k)[Form::n_coefficients]) {
                               batch.coefficient(coefficient, q, k);
                             },
                             u, r);
                         });
                       scatter(batch, apply, r);
                       return apply.sum.result != nullptr ? energy(u.values, r)
                                                          : Number(0);
                     });
    }
  } // namespace

  template <class E, class Number, class Target, IfHost<Target>>
  void
  apply_matrix_free(Target, const CellApply<Number> &apply,
                    const CoefficientView<Number> &coefficient, Stream)
  {
    on_geometry(apply.cells, [&](const auto stored) {
      apply_all<E, decltype(stored)::value, Target>(apply, coefficient);
    });
  }

#define INSTANTIATE(E, Number)                                               \
  template void apply_matrix_free<E, Number>(                                \
    TESSERA_ISA, const CellApply<Number> &, const CoefficientView<Number> &, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

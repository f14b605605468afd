#include <tessera/forms/laplace.h>
#include <tessera/space/host_scatter.h>

#include "../assembly/assemble_kernels.h"
#include "../assembly/strategies.cuh"
#include "matrix_free_local_kernels.h"

namespace tessera
{
  namespace
  {
    /// Multiplies by u what a strategy emits.
    template <int n, class Value>
    struct RowProduct
    {
      static constexpr bool upper = false;
      Value u[n], r[n];

      TESSERA_HOST void
      begin_row(int)
      {}

      template <int W>
      TESSERA_HOST void
      put(const int i, const int j0, const Value (&values)[W], bool = true)
      {
        for (int k = 0; k < W; ++k)
          r[i] += values[k] * u[j0 + k];
      }
    };

    template <Strategy strategy, class E, class Target, class Number>
    TESSERA_HOST void
    apply_all(const CellApply<Number> &apply,
              const CoefficientView<Number> &kappa)
    {
      using Form         = Laplace<E::dim>;
      using Cells        = HostCells<Target, Number>;
      using Value        = typename Cells::Value;
      const auto element = reference_element<E, Number>();
      for_each_batch(apply.blocks, apply.batches_per_block, apply.conflict,
                     apply.sum.result != nullptr ? apply.sum.partial : nullptr,
                     [&](const std::int64_t index) {
                       const Cells batch(index);
                       RowProduct<E::n, Value> product;
                       gather(batch, apply.cells, apply.x, product.u);
                       for (Value &r : product.r)
                         r = Value(Number(0));
                       emit_cell_matrix<strategy, Form, E, 0, Value>(
                         element,
                         AnyGeometry<E, Cells, Number>(batch, apply.cells),
                         [&](const int q, Value(&k)[Form::n_coefficients]) {
                           batch.coefficient(kappa, q, k);
                         },
                         product);
                       scatter(batch, apply, product.r);
                       return apply.sum.result != nullptr
                                ? energy(product.u, product.r)
                                : Number(0);
                     });
    }
  } // namespace

  template <class E, class Number, class Target, IfHost<Target>>
  void
  apply_matrix_free_local(Target, const CellApply<Number> &apply,
                          const CoefficientView<Number> &kappa,
                          const Strategy strategy, Stream)
  {
    on_strategy(strategy, [&](const auto chosen) {
      apply_all<decltype(chosen)::value, E, Target>(apply, kappa);
    });
  }

#define INSTANTIATE(E, Number)                                               \
  template void apply_matrix_free_local<E, Number>(                          \
    TESSERA_ISA, const CellApply<Number> &, const CoefficientView<Number> &, \
    Strategy, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

#include <tessera/space/host_scatter.h>

#include "../assembly/host_emit.cuh"
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
  } // namespace

  template <class E, class Number, class Target, IfHost<Target>>
  void
  apply_matrix_free_local(Target, const CellApply<Number> &apply,
                          const CoefficientView<Number> &kappa,
                          const Strategy strategy, Stream)
  {
    using Cells   = HostCells<Target, Number>;
    using Product = RowProduct<E::n, typename Cells::Value>;
    const AssemblyCells<Number> cells{apply.cells, apply.batches_per_block,
                                      apply.blocks, apply.conflict, kappa};
    const bool asks_sum = apply.sum.result != nullptr;
    const auto begin    = [&](const Cells &batch) {
      Product product;
      gather(batch, apply.cells, apply.x, product.u);
      for (auto &r : product.r)
        r = typename Cells::Value(Number(0));
      return product;
    };
    const auto finish = [&](const Cells &batch, const Product &product) {
      scatter(batch, apply, product.r);
      return asks_sum ? energy(product.u, product.r) : Number(0);
    };
    on_strategy(strategy, [&](const auto chosen) {
      emit_all<decltype(chosen)::value, E, Target, Number>(
        cells, begin, asks_sum ? apply.sum.partial : nullptr, finish);
    });
  }

#define INSTANTIATE(E, Number)                                               \
  template void apply_matrix_free_local<E, Number>(                          \
    TESSERA_ISA, const CellApply<Number> &, const CoefficientView<Number> &, \
    Strategy, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

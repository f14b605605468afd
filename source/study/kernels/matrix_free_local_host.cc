#include <tessera/space/host_scatter.h>

#include "../../kernels/host_emit.cuh"
#include "strategy_launches.h"
#include "this_form.h"

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

  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  apply_local_on(Target, const CellApply<Number> &apply,
                 const FieldsView<Number> &fields, const Strategy strategy,
                 Stream)
  {
    using Cells                = HostCells<Target, Number>;
    constexpr int n_components = F::n_components;
    using Product = RowProduct<n_components * E::n, typename Cells::Value>;
    const AssemblyCells<Number> cells{apply.cells, apply.batches_per_block,
                                      apply.blocks, apply.conflict, fields};
    const bool asks_sum = apply.sum.result != nullptr;
    const auto begin    = [&](const Cells &batch) {
      Product product;
      for (int i = 0; i < n_components * E::n; ++i)
        {
          product.u[i] = batch.template value_at_node<E::n, n_components>(
            apply.cells, apply.x, i % E::n, i / E::n);
          product.r[i] = typename Cells::Value(Number(0));
        }
      return product;
    };
    const auto finish = [&](const Cells &batch, const Product &product) {
      scatter<n_components>(batch, apply, product.r);
      return asks_sum ? energy(product.u, product.r) : Number(0);
    };
    on_strategy(strategy, [&](const auto chosen) {
      emit_all<decltype(chosen)::value, F, E, Target, Number>(
        cells, begin, asks_sum ? apply.sum.partial : nullptr, finish);
    });
  }

#define INSTANTIATE(E, Number)                                          \
  template void apply_local_on<ThisForm<E::dim>, E, Number>(            \
    TESSERA_ISA, const CellApply<Number> &, const FieldsView<Number> &, \
    Strategy, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

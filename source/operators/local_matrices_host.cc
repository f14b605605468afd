#include <tessera/space/element.h>
#include <tessera/space/host_scatter.h>

#include "local_matrices.cuh"
#include "local_matrices_kernels.h"

namespace tessera
{
  namespace
  {
    template <bool symmetric, int n_nodes, int n_components, class Target,
              class Number>
    TESSERA_HOST void
    apply_all(const CellApply<Number> &apply, const Number *values,
              const bool diagonal)
    {
      using Cells           = HostCells<Target, Number>;
      using Value           = typename Cells::Value;
      constexpr int n       = n_components * n_nodes;
      constexpr int entries = n_local_entries(symmetric, n);
      for_each_batch(
        apply.blocks, apply.batches_per_block, apply.conflict,
        apply.sum.result != nullptr ? apply.sum.partial : nullptr,
        [&](const std::int64_t index) {
          const Cells batch(index);
          Value r[n];
          if (diagonal)
            {
              for (int i = 0; i < n; ++i)
                r[i] =
                  batch.load(values, entries, local_entry(symmetric, n, i, i));
              scatter<n_components>(batch, apply, r);
              return Number(0);
            }
          Value u[n];
          for (int i = 0; i < n; ++i)
            u[i] = batch.template value_at_node<n_nodes, n_components>(
              apply.cells, apply.x, i % n_nodes, i / n_nodes);
          local_product<n, symmetric>(
            [&](const int k) { return batch.load(values, entries, k); }, u, r);
          scatter<n_components>(batch, apply, r);
          return apply.sum.result != nullptr ? energy(u, r) : Number(0);
        });
    }
  } // namespace

  template <class E, class Number, class Target, IfHost<Target>>
  void
  apply_local_matrices(Target, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, const bool diagonal,
                       Stream)
  {
    on_components<E>(local.n_components, [&](const auto n) {
      if (local.symmetric)
        apply_all<true, E::n, decltype(n)::value, Target>(apply, local.values,
                                                          diagonal);
      else
        apply_all<false, E::n, decltype(n)::value, Target>(apply, local.values,
                                                           diagonal);
    });
  }

#define INSTANTIATE(E, Number)                                                 \
  template void apply_local_matrices<E, Number>(                               \
    TESSERA_ISA, const CellApply<Number> &, const LocalValues<Number> &, bool, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

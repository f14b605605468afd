#include <tessera/space/element.h>
#include <tessera/space/host_scatter.h>

#include "local_matrices.cuh"

namespace tessera
{
  namespace
  {
    template <LocalEntries entries, int n_nodes, int n_components, class Target,
              class Number>
    TESSERA_HOST void
    apply_all(const CellApply<Number> &apply, const LocalValues<Number> &local)
    {
      using Cells          = HostCells<Target, Number>;
      using Value          = typename Cells::Value;
      constexpr int n      = n_components * n_nodes;
      constexpr int stored = n_stored(entries, n_nodes, n_components);
      for_each_batch(
        apply.blocks, apply.batches_per_block, apply.conflict,
        apply.sum.result != nullptr ? apply.sum.partial : nullptr,
        [&](const std::int64_t index) {
          const Cells batch(index);
          const auto entry = [&](const int k) {
            return batch.load(local.values, stored, k);
          };
          Value r[n];
          if (local.diagonal)
            {
              for (int i = 0; i < n; ++i)
                r[i] = stored_diagonal<Value, entries, n_nodes, n_components>(
                  entry, i);
              scatter<n_components>(batch, apply, r);
              return Number(0);
            }
          Value u[n];
          for (int i = 0; i < n; ++i)
            u[i] = batch.template value_at_node<n_nodes, n_components>(
              apply.cells, apply.x, i % n_nodes, i / n_nodes);
          stored_product<entries, n_nodes, n_components>(entry, u, r);
          if (local.of_cells != nullptr)
            for (int i = 0; i < n; ++i)
              batch.store(local.of_cells, n, i, r[i]);
          else
            scatter<n_components>(batch, apply, r);
          return apply.sum.result != nullptr ? energy(u, r) : Number(0);
        });
    }
  } // namespace

  template <class E, class Number, class Target, IfHost<Target>>
  void
  apply_local_matrices(Target, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, Stream)
  {
    on_components<E>(local.n_components, [&](const auto n) {
      constexpr int n_components = decltype(n)::value;
      if (local.entries == LocalEntries::all)
        apply_all<LocalEntries::all, E::n, n_components, Target>(apply, local);
      else if (local.entries == LocalEntries::upper)
        apply_all<LocalEntries::upper, E::n, n_components, Target>(apply,
                                                                   local);
      else if constexpr (n_components * E::n <= most_values_of_differences)
        apply_all<LocalEntries::off_diagonal, E::n, n_components, Target>(
          apply, local);
    });
  }

#define INSTANTIATE(E, Number)                                           \
  template void apply_local_matrices<E, Number>(                         \
    TESSERA_ISA, const CellApply<Number> &, const LocalValues<Number> &, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera

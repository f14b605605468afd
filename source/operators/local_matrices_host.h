#pragma once

#include <tessera/space/host_scatter.h>

#include "local_matrices.cuh"

namespace tessera
{
  /// Applies cell matrices of which `Entries` are stored (LocalEntries, for
  /// example), with a cell in each lane.
  template <class Entries, int n_nodes, int n_components, class Target,
            class Number>
  TESSERA_HOST void
  apply_on_host(const CellApply<Number> &apply,
                const LocalValues<Number> &local)
  {
    using Cells          = HostCells<Target, Number>;
    using Value          = typename Cells::Value;
    constexpr int n      = n_components * n_nodes;
    constexpr int stored = Entries::n_stored(n_nodes, n_components);
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
              r[i] = Entries::template diagonal<Value, n_nodes, n_components>(
                entry, i);
            scatter<n_components>(batch, apply, r);
            return Number(0);
          }
        Value u[n];
        for (int i = 0; i < n; ++i)
          u[i] = batch.template value_at_node<n_nodes, n_components>(
            apply.cells, apply.x, i % n_nodes, i / n_nodes);
        Entries::template product<n_nodes, n_components>(entry, u, r);
        if (local.of_cells != nullptr)
          for (int i = 0; i < n; ++i)
            batch.store(local.of_cells, n, i, r[i]);
        else
          scatter<n_components>(batch, apply, r);
        return apply.sum.result != nullptr ? energy(u, r) : Number(0);
      });
  }
} // namespace tessera

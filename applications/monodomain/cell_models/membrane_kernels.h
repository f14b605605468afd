#pragma once

#include "rate_tables.h"
#include <tessera/base/target.h>

namespace tessera
{
  /// Where rates come from, and what gates with tables are stored as.
  enum class CellWay
  {
    exact,       ///< Model::rates, doubles
    by_tables,   ///< TableLayout, doubles
    narrow_gates ///< TableLayout, NarrowGate
  };

  /// What the kernels of Membrane::advance work on.
  template <class Number>
  struct MembraneView
  {
    int n_nodes, stride;
    Number *potential;            ///< [n_nodes]
    std::uint32_t *gates;         ///< [n_tabulated][stride] if narrow
    Number *states;               ///< [other states][stride], node fastest
    const unsigned char *regions; ///< [n_nodes]
    const Number *parameters;     ///< [n_regions][n_parameters]
    const Number *stimulus;       ///< [n_nodes] or null
    Number step;
    int n_steps, order;
    /// [n_regions] tables (TableLayout) for half of a step and for a step;
    /// null: rates are computed.
    const TableEntry *half, *whole;
  };

  /// Advances the cells of all nodes: on the host a lane has a node.
  template <class Model, CellWay way, class Number, class Target,
            IfHost<Target> = 0>
  void
  advance_membrane(Target, const MembraneView<Number> &cells);

  /// The same on the device, where a thread has a node. Moves every state
  /// twice and a byte; parameters, and the rows of tables for the potentials
  /// that occur, stay in the caches.
  template <class Model, CellWay way, class Number>
  void
  advance_membrane(Cuda, const MembraneView<Number> &cells, Stream stream);

  /// Calls `narrow(k, first)` or `wide(k, first)` for each state k behind the
  /// potential, whose values in all nodes begin at `first`.
  template <class Model, CellWay way, class Number, class Narrow, class Wide>
  TESSERA_HOST_DEVICE void
  for_each_state(const MembraneView<Number> &cells, const Narrow &narrow,
                 const Wide &wide)
  {
    constexpr int n_narrow =
      way == CellWay::narrow_gates ? Model::n_tabulated : 0;
    const std::int64_t stride = cells.stride;
    TESSERA_UNROLL_BY(64)
    for (int k = 1; k < Model::n_states; ++k)
      if (k <= n_narrow)
        narrow(k, cells.gates + (k - 1) * stride);
      else
        wide(k, cells.states + (k - 1 - n_narrow) * stride);
  }
} // namespace tessera

#pragma once

#include <tessera/base/target.h>

namespace tessera
{
  /// What the kernels of Membrane::advance work on.
  template <class Number>
  struct MembraneView
  {
    int n_nodes, stride;
    Number *potential;            ///< [n_nodes]
    Number *states;               ///< [n_states - 1][stride], node fastest
    const unsigned char *regions; ///< [n_nodes]
    const Number *parameters;     ///< [n_regions][n_parameters]
    const Number *stimulus;       ///< [n_nodes] or null
    Number step;
    int n_steps, order;
    /// [n_regions] tables (RateTable) for half of a step and for a step; null:
    /// rates are computed.
    const Number *half, *whole;
  };

  /// Advances the cells of all nodes: on the host a lane has a node.
  template <class Model, bool tabulated, class Number, class Target,
            IfHost<Target> = 0>
  void
  advance_membrane(Target, const MembraneView<Number> &cells);
} // namespace tessera

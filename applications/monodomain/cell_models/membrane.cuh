#pragma once

#include "all_models.h"
#include <tessera/base/for_each.h>

#include "membrane_kernels.h"

namespace tessera
{
  /// Advances the cell of node i on the device, where a thread has a node.
  /// Moves 2 n_states numbers and a byte; parameters stay in the caches, and so
  /// do the rows of tables for the potentials that occur.
  template <class Model, class Number, bool tabulated>
  struct AdvanceCell
  {
    using CellModel                    = Model;
    static constexpr bool is_tabulated = tabulated;
    MembraneView<Number> cells;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      Number y[Model::n_states], p[Model::n_parameters];
      const Number *const parameters =
        cells.parameters + cells.regions[i] * Model::n_parameters;
      TESSERA_UNROLL_BY(64)
      for (int k = 0; k < Model::n_parameters; ++k)
        p[k] = read_only(parameters + k);
      const std::int64_t stride = cells.stride;
      y[0]                      = cells.potential[i];
      TESSERA_UNROLL_BY(64)
      for (int k = 1; k < Model::n_states; ++k)
        y[k] = cells.states[(k - 1) * stride + i];
      const Number stimulus =
        cells.stimulus == nullptr ? Number(0) : cells.stimulus[i];
      CellTables<Number> tables;
      if constexpr (tabulated)
        {
          const int first =
            cells.regions[i] * RateTable::size(Model::n_tabulated);
          tables = {{cells.half + first}, {cells.whole + first}};
        }
      advance_cell<Model, tabulated>(y, p, stimulus, cells.step, cells.n_steps,
                                     cells.order, tables);
      cells.potential[i] = y[0];
      TESSERA_UNROLL_BY(64)
      for (int k = 1; k < Model::n_states; ++k)
        cells.states[(k - 1) * stride + i] = y[k];
    }
  };
} // namespace tessera

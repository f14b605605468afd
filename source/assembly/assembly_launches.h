#pragma once

#include <tessera/space/element.h>

#include "assemble_kernels.h"

namespace tessera
{
  /// Calls `f(target, e, cells)` for every block list.
  template <class Number, class F>
  void
  for_each_launch(const CellData<Number> &cells,
                  const CoefficientView<Number> &kappa, const Conflict conflict,
                  const F &f)
  {
    const Space &space = cells.space();
    on_target(cells.backend(), [&](const auto target) {
      on_element(space.cell_type, space.degree, [&](auto e) {
        for (const BlockList &blocks : cells.launches(conflict))
          f(target, e,
            AssemblyCells<Number>{cells.view(conflict),
                                  cells.batches_per_block(), blocks, conflict,
                                  kappa});
      });
    });
  }
} // namespace tessera

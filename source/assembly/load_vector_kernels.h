#pragma once

#include <tessera/assembly/options.h>
#include <tessera/base/target.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/coefficient_data.h>

namespace tessera
{
  /// Adds the load vectors of cells to `apply.y`, or writes them there,
  /// [n_batches][n][lanes], by Route::gather; `apply.x` is not read.
  template <class E, class Number>
  void
  add_load_on(Cuda, const CellApply<Number> &apply,
              const CoefficientView<Number> &source, Route route,
              Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  add_load_on(Target, const CellApply<Number> &apply,
              const CoefficientView<Number> &source, Route route,
              Stream stream);
} // namespace tessera

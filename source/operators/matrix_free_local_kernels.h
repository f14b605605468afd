#pragma once

#include <tessera/assembly/options.h>
#include <tessera/base/target.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/coefficient_data.h>

namespace tessera
{
  /// y += A x by cell matrices that are computed and used up at once.
  template <class E, class Number>
  void
  apply_matrix_free_local(Cuda, const CellApply<Number> &apply,
                          const CoefficientView<Number> &kappa,
                          Strategy strategy, Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  apply_matrix_free_local(Target, const CellApply<Number> &apply,
                          const CoefficientView<Number> &kappa,
                          Strategy strategy, Stream stream);
} // namespace tessera

#pragma once

#include <tessera/base/target.h>
#include <tessera/space/coefficient_data.h>

#include <tessera/space/cell_apply.h>

namespace tessera
{
  /// Matrix-free application of -div(k grad u); bitwise repeatable but for
  /// atomics. Defined in matrix_free.cu.
  template <class E, class Number>
  void
  apply_matrix_free(Cuda, const CellApply<Number> &apply,
                    const CoefficientView<Number> &coefficient, Stream stream);

  /// The same for an instruction set of the host, in matrix_free_host.cc.
  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  apply_matrix_free(Target, const CellApply<Number> &apply,
                    const CoefficientView<Number> &coefficient, Stream stream);
} // namespace tessera

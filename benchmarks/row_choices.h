#pragma once

#include "sweep.h"

#include <tessera/assembly/options.h>
#include <tessera/operators/operator.h>

namespace tessera::benchmarks
{
  /// What its product is measured with: threads per row, widths.
  std::vector<AssemblyOptions>
  row_choices(const std::string &name, const Sweep &sweep);

  /// Puts into the row what the operator stores for each entry, and into its
  /// parameters what was chosen for its product: T on the device, width, the
  /// shape of slices.
  template <class Number>
  void
  describe_rows(study::Row &row, const Operator<Number> &op);
} // namespace tessera::benchmarks

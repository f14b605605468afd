#pragma once

#include "sweep.h"

#include <tessera/assembly/options.h>
#include <tessera/operators/operator.h>

namespace tessera::benchmarks
{
  /// What its product is measured with: threads per row, widths, slices.
  std::vector<AssemblyOptions>
  row_choices(const std::string &name, const Sweep &sweep);

  /// What its assembly is measured with: slices.
  std::vector<AssemblyOptions>
  assembly_choices(const std::string &name, const Sweep &sweep);

  /// The routes that its assembly is measured by; one that is empty if it does
  /// not store rows.
  std::vector<std::string>
  routes(const std::string &name, const Sweep &sweep);

  /// Whether its assembly can be asked for other sizes of blocks, see
  /// SizedBlocks.
  bool
  has_block_sizes(const std::string &name, const std::string &conflict,
                  Backend backend);

  /// "C:sigma:T:threshold"
  std::string
  name_of(const SellShape &shape);

  /// Of "C:sigma", "C:sigma:T" or "C:sigma:T:threshold". Throws ParameterError
  /// for another text, and what `check_shape` throws.
  SellShape
  slices_from_string(const std::string &name);

  /// Puts into the row what the operator stores for each entry, and into its
  /// parameters what was chosen for its product: T on the device, width, the
  /// shape of slices.
  template <class Number>
  void
  describe_rows(study::Row &row, const Operator<Number> &op);
} // namespace tessera::benchmarks

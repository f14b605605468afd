#pragma once

#include "sweep.h"

#include <tessera/assembly/options.h>
#include <tessera/operators/operator.h>

namespace tessera::benchmarks
{
  /// Returns the choices for products: threads per row, widths, slices.
  std::vector<AssemblyOptions>
  row_choices(const std::string &name, const Sweep &sweep);

  /// Returns the choices for assembly: slices.
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

  /// Returns "C:sigma:T:threshold".
  std::string
  name_of(const SellShape &shape);

  /// Reads "C:sigma", "C:sigma:T" or "C:sigma:T:threshold". Throws
  /// ParameterError for any other text, and what `check_shape` throws.
  SellShape
  slices_from_string(const std::string &name);

  /// Sets what the operator stores per entry, and in the row's parameters what
  /// was chosen for its product: T on the device, the width, and the shape of
  /// slices.
  template <class Number>
  void
  describe_rows(study::Row &row, const Operator<Number> &op);
} // namespace tessera::benchmarks

#pragma once

#include "sweep.h"

#include <tessera/operators/operator.h>
#include <tessera/operators/options.h>

namespace tessera::benchmarks
{
  /// Returns all combinations of the options that the sweep varies and the
  /// operator has; of assembly, only of the options that it depends on.
  std::vector<AssemblyOptions>
  row_choices(const std::string &name, const Sweep &sweep, bool of_assembly);

  /// Puts a name in the place of `default`, and leaves each name once.
  std::vector<std::string>
  with_default(const std::vector<std::string> &names, const std::string &name);

  /// Puts conflict handlings for `default`, and the route that then is common
  /// to all operators, if there is one.
  void
  resolve_defaults(Sweep &sweep);

  /// The routes that its assembly is measured by: the routes of the sweep, or
  /// the operator's default one; one that is empty if it does not store
  /// rows.
  std::vector<std::string>
  routes(const std::string &name, const Sweep &sweep, const Space &space);

  /// Sets what the operator stores per entry, and in the row's parameters the
  /// ones of its layout and, except for assembly, of its product.
  template <class Number>
  void
  describe_rows(program::Row &row, const Operator<Number> &op);
} // namespace tessera::benchmarks

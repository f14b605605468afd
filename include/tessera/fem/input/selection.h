#pragma once

#include <tessera/fem/input/expression.h>

#include <string>
#include <vector>

namespace tessera
{
  /// Entries that select a part of a mesh have either names, separated by
  /// commas, or the word `where` and a formula of x, y and z, which holds if
  /// its value is not 0. A formula may have commas and stands alone.
  ///
  /// Returns the names of such an entry, or the formula, with `where `, as its
  /// only one. Throws ParameterError for a formula behind a comma.
  std::vector<std::string>
  read_selection(const Parameters &parameters, const std::string &path);

  /// Returns true for a name that is a formula.
  bool
  is_formula(const std::string &name);

  /// Returns the formula of such a name in the entry `path`. Throws
  /// ParameterError if it cannot be parsed or depends on t.
  template <int dim>
  Expression<dim>
  formula_of(const Parameters &parameters, const std::string &path,
             const std::string &name);
} // namespace tessera

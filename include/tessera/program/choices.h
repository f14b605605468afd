#pragma once

#include <tessera/base/registry.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace tessera
{
  /// A name that a parameter file may contain, and its meaning.
  struct Choice
  {
    std::string name;
    std::string sentence;
    std::string source; ///< paper and section, or empty
  };

  /// All choices of one kind, taken from descriptors (base/registry.h) or
  /// from its list (`routes.def` and others).
  struct Choices
  {
    std::string name; ///< of the kind, for example operator or strategy
    std::vector<Choice> choices;

    /// Returns the names as "a|b|c", which is the format of
    /// Patterns::Selection.
    std::string
    selection() const;
  };

  /// Further kinds, which libraries above the core register for --list.
  extern template class Registry<Choices>;

  /// Returns the choices of a kind: operator, strategy, route, conflict,
  /// preconditioner, method, stopping norm, numbering, cell order, geometry or
  /// backend. Throws std::out_of_range for any other kind.
  const Choices &
  choices(const std::string &kind);

  /// Prints the choices of all kinds, one line per name. This is the answer to
  /// --list.
  void
  list_choices(std::ostream &out);
} // namespace tessera

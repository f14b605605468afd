#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tessera
{
  class Parameters;

  /// A name that a parameter file may contain, and its meaning.
  struct Choice
  {
    std::string name;
    std::string sentence;
    std::string source; ///< paper and section, or empty
  };

  /// All choices of one kind, taken from descriptors or its list
  /// (`strategies.def` and others).
  struct Choices
  {
    std::string kind; ///< for example operator or strategy
    std::vector<Choice> choices;

    /// Returns the names as "a|b|c", which is the format of
    /// Patterns::Selection.
    std::string
    selection() const;
  };

  /// Returns the choices of a kind: operator, strategy, route, conflict,
  /// preconditioner, numbering, cell order, geometry or backend. Throws
  /// std::out_of_range for any other kind.
  const Choices &
  choices(const std::string &kind);

  /// Prints the choices of all kinds, one line per name. This is the answer to
  /// --list.
  void
  list_choices(std::ostream &out);

  /// Accepts parameter files from before there were routes, in which a conflict
  /// handling is `gather`: this sets the route, and colours if no other
  /// conflict handling was listed. `conflicts` and `routes` are the paths of
  /// the two entries, which hold a name or a list of names. The removed
  /// handling `owner` is refused by a sentence that names the route instead.
  void
  accept_gather_as_conflict(Parameters &parameters,
                            const std::string &conflicts,
                            const std::string &routes);
} // namespace tessera

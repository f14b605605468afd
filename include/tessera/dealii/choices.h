#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <iosfwd>
#include <string>
#include <vector>

namespace tessera
{
  /// A name that a parameter file may hold, and what it stands for.
  struct Choice
  {
    std::string name;
    std::string sentence;
    std::string source; ///< paper and section, or empty
  };

  /// The choices of one kind, from its list (`operators.def`, ...).
  struct Choices
  {
    std::string kind; ///< operator, strategy, ...
    std::vector<Choice> choices;

    /// "a|b|c", as deal.II's Patterns::Selection wants it.
    std::string
    selection() const;
  };

  /// Kinds are operator, strategy, conflict, preconditioner, numbering, cell
  /// order, geometry and backend; throws std::out_of_range for another one.
  const Choices &
  choices(const std::string &kind);

  /// All kinds, one line a name: the answer to --list.
  void
  list_choices(std::ostream &out);
} // namespace tessera

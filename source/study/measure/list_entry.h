#pragma once

#include <tessera/fem/input/parameters.h>
#include <tessera/fem/input/patterns.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  using Names = std::vector<std::string>;

  /// An entry of the section Factors: a list of values that a study varies.
  /// `legal` are the names that `all` stands for; where there are none,
  /// `pattern` is that of a value.
  struct ListEntry
  {
    std::string name, default_value;
    Names legal;
    std::shared_ptr<const dealii::Patterns::PatternBase> pattern;
    std::string documentation;

    std::string
    path() const
    {
      return "Factors/" + name;
    }
  };

  ListEntry
  entry_of_names(const std::string &name, const std::string &default_value,
                 const Names &legal, const std::string &documentation);

  ListEntry
  entry_of_values(const std::string &name, const std::string &default_value,
                  const dealii::Patterns::PatternBase &pattern,
                  const std::string &documentation);

  /// Returns the names of all choices of a kind, see fem/input/choices.h.
  Names
  names_of(const std::string &kind);

  /// Returns the words of a list, each once, with `all` spelt out.
  Names
  read_names(const Parameters &parameters, const std::string &path,
             const Names &legal);

  /// Returns an integer as it is written plainly: 100000 for 1e5.
  std::string
  plain_integer(const std::string &value);
} // namespace tessera::benchmarks

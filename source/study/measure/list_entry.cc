#include "list_entry.h"

#include <tessera/fem/input/choices.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>

namespace tessera::benchmarks
{
  ListEntry
  entry_of_names(const std::string &name, const std::string &default_value,
                 const Names &legal, const std::string &documentation)
  {
    return {name, default_value, legal,
            std::make_shared<TestedPattern>(names_or_all(legal)),
            documentation};
  }

  ListEntry
  entry_of_values(const std::string &name, const std::string &default_value,
                  const dealii::Patterns::PatternBase &pattern,
                  const std::string &documentation)
  {
    return {name,
            default_value,
            {},
            std::make_shared<dealii::Patterns::List>(pattern, 1, 64),
            documentation};
  }

  Names
  names_of(const std::string &kind)
  {
    Names names;
    for (const Choice &choice : choices(kind).choices)
      names.push_back(choice.name);
    return names;
  }

  Names
  read_names(const Parameters &parameters, const std::string &path,
             const Names &legal)
  {
    Names names;
    for (const std::string &word : parameters.get_list(path))
      if (word == "all" && !legal.empty())
        return legal;
      else if (std::count(names.begin(), names.end(), word) == 0)
        names.push_back(word);
    return names;
  }

  std::string
  plain_integer(const std::string &value)
  {
    return std::to_string(
      std::llround(dealii::Utilities::string_to_double(value)));
  }
} // namespace tessera::benchmarks

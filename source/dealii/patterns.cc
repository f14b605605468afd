#include <tessera/base/names.h>
#include <tessera/dealii/patterns.h>

#include <deal.II/base/utilities.h>

#include <algorithm>

namespace tessera
{
  std::string
  selection_of(const std::vector<std::string> &names)
  {
    std::string pattern;
    for (const std::string &name : names)
      pattern += (pattern.empty() ? "" : "|") + name;
    return pattern;
  }


  AutoOrInteger::AutoOrInteger(const int lower, const int upper)
    : lower(lower), upper(upper)
  {}


  bool
  AutoOrInteger::match(const std::string &value) const
  {
    return value == "auto" ||
           dealii::Patterns::Integer(lower, upper).match(value);
  }


  std::string
  AutoOrInteger::description(OutputStyle) const
  {
    return "auto or an integer n such that " + std::to_string(lower) +
           " <= n <= " + std::to_string(upper);
  }


  std::unique_ptr<dealii::Patterns::PatternBase>
  AutoOrInteger::clone() const
  {
    return std::make_unique<AutoOrInteger>(*this);
  }


  ListOfNames::ListOfNames(const std::vector<std::string> &names,
                           const bool may_be_empty)
    : names(names), may_be_empty(may_be_empty)
  {}


  bool
  ListOfNames::match(const std::string &value) const
  {
    if (value.empty() || value == "all")
      return value == "all" || may_be_empty;
    const auto words = dealii::Utilities::split_string_list(value);
    return std::all_of(words.begin(), words.end(), [&](const auto &word) {
      return std::count(names.begin(), names.end(), word) > 0;
    });
  }


  std::string
  ListOfNames::description(OutputStyle) const
  {
    return "all or a list of " + list_of(names) +
           (may_be_empty ? ", which may be empty" : "");
  }


  std::unique_ptr<dealii::Patterns::PatternBase>
  ListOfNames::clone() const
  {
    return std::make_unique<ListOfNames>(*this);
  }
} // namespace tessera

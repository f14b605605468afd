#include <tessera/base/names.h>
#include <tessera/program/patterns.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace tessera
{
  using program::number;
  using program::split;
  using program::trim;

  namespace
  {
    std::string
    text_of(const double limit)
    {
      constexpr double most = std::numeric_limits<double>::max();
      std::ostringstream text;
      if (std::abs(limit) == most)
        text << (limit < 0 ? "-" : "") << "MAX_DOUBLE";
      else
        text << limit;
      return text.str();
    }
  } // namespace


  namespace Patterns
  {
    Anything::Anything()
      : Pattern{[](const std::string &) { return true; }, "Any string"}
    {}


    Bool::Bool()
      : Pattern{[](const std::string &value) {
                  return value == "true" || value == "false";
                },
                "A boolean value (true or false)"}
    {}


    Integer::Integer(const int least, const int most)
      : Pattern{[least, most](const std::string &value) {
                  const std::string text = trim(value);
                  const auto read        = number(text);
                  return read && *read >= least && *read <= most &&
                         text.find_first_of(".eE") == std::string::npos;
                },
                "An integer n such that " + std::to_string(least) +
                  " <= n <= " + std::to_string(most)}
    {}


    Double::Double(const double least, const double most)
      : Pattern{[least, most](const std::string &value) {
                  const auto read = number(trim(value));
                  return read && *read >= least && *read <= most;
                },
                "A floating point number v such that " + text_of(least) +
                  " <= v <= " + text_of(most)}
    {}


    Selection::Selection(const std::string &words)
      : Pattern{[names = split(words, '|')](const std::string &value) {
                  return std::count(names.begin(), names.end(), value) > 0;
                },
                "Any one of "}
    {
      std::string comma;
      for (const std::string &name : split(words, '|'))
        legal += std::exchange(comma, ", ") + name;
    }


    List::List(const Pattern &value, const int least, const int most)
      : Pattern{[value, least, most](const std::string &list) {
                  const auto words = split(list, ',');
                  const int n      = static_cast<int>(words.size());
                  return n >= least && n <= most &&
                         std::all_of(words.begin(), words.end(), value.match);
                },
                "A list of " + std::to_string(least) + " to " +
                  std::to_string(most) + " elements where each element is [" +
                  value.legal + "]"}
    {}
  } // namespace Patterns


  Pattern
  option_value(const Option &option, const std::string &summary)
  {
    // Whoever reads a real number refuses the ends of its interval.
    const auto is_legal = [option](const std::string &value) {
      return option.is_legal(value) ||
             (option.is_real &&
              Patterns::Double(option.least, option.most).match(value));
    };
    return {is_legal, option.legal(), summary};
  }


  Pattern
  names_or_all(const std::vector<std::string> &names, const bool may_be_empty,
               const std::string &summary)
  {
    const auto is_legal = [names, may_be_empty](const std::string &value) {
      if (value.empty() || value == "all")
        return value == "all" || may_be_empty;
      const auto words = split(value, ',');
      return std::all_of(words.begin(), words.end(), [&](const auto &word) {
        return std::count(names.begin(), names.end(), word) > 0;
      });
    };
    return {is_legal,
            "all or a list of " + list_of(names) +
              (may_be_empty ? ", which may be empty" : ""),
            summary};
  }
} // namespace tessera

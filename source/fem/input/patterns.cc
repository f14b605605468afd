#include <tessera/base/names.h>
#include <tessera/fem/input/patterns.h>

#include <deal.II/base/utilities.h>

#include <algorithm>

namespace tessera
{
  TestedPattern::TestedPattern(
    std::function<bool(const std::string &)> is_legal, const std::string &legal,
    const std::string &summary)
    : summary(summary), is_legal(std::move(is_legal)), legal(legal)
  {}


  bool
  TestedPattern::match(const std::string &value) const
  {
    return is_legal(value);
  }


  std::string
  TestedPattern::description(OutputStyle) const
  {
    return legal;
  }


  std::unique_ptr<dealii::Patterns::PatternBase>
  TestedPattern::clone() const
  {
    return std::make_unique<TestedPattern>(*this);
  }


  std::string
  summary_of(const dealii::Patterns::PatternBase &pattern)
  {
    const auto *const tested = dynamic_cast<const TestedPattern *>(&pattern);
    return tested != nullptr && !tested->summary.empty()
             ? tested->summary
             : pattern.description(dealii::Patterns::PatternBase::Text);
  }


  TestedPattern
  option_value(const Option &option, const std::string &summary)
  {
    // Whoever reads a real number refuses the ends of its interval.
    const auto is_legal = [option](const std::string &value) {
      return option.is_legal(value) ||
             (option.is_real &&
              dealii::Patterns::Double(option.least, option.most).match(value));
    };
    return {is_legal, option.legal(), summary};
  }


  TestedPattern
  names_or_all(const std::vector<std::string> &names, const bool may_be_empty,
               const std::string &summary)
  {
    const auto is_legal = [names, may_be_empty](const std::string &value) {
      if (value.empty() || value == "all")
        return value == "all" || may_be_empty;
      const auto words = dealii::Utilities::split_string_list(value);
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

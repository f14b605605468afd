#include <tessera/base/names.h>
#include <tessera/dealii/patterns.h>

#include <deal.II/base/utilities.h>

#include <algorithm>

namespace tessera
{
  std::string
  summary_of(const dealii::Patterns::PatternBase &pattern)
  {
    const auto *const summarized =
      dynamic_cast<const SummarizedPattern *>(&pattern);
    return summarized != nullptr && !summarized->summary.empty()
             ? summarized->summary
             : pattern.description(dealii::Patterns::PatternBase::Text);
  }


  OptionValue::OptionValue(const OperatorOption &option,
                           const std::string &summary)
    : SummarizedPattern(summary), option(option)
  {}


  bool
  OptionValue::match(const std::string &value) const
  {
    return option.is_legal(value);
  }


  std::string
  OptionValue::description(OutputStyle) const
  {
    return option.legal();
  }


  std::unique_ptr<dealii::Patterns::PatternBase>
  OptionValue::clone() const
  {
    return std::make_unique<OptionValue>(*this);
  }


  ListOfNames::ListOfNames(const std::vector<std::string> &names,
                           const bool may_be_empty, const std::string &summary)
    : SummarizedPattern(summary), names(names), may_be_empty(may_be_empty)
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

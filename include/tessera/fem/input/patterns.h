#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/operators/options.h>

#include <deal.II/base/patterns.h>

#include <functional>
#include <string>
#include <vector>

namespace tessera
{
  /// A pattern that a function tests. If its description is long,
  /// doc/parameters.md has the summary instead, unless that is empty.
  class TestedPattern : public dealii::Patterns::PatternBase
  {
  public:
    TestedPattern(std::function<bool(const std::string &)> is_legal,
                  const std::string &legal, const std::string &summary);

    bool
    match(const std::string &value) const override;

    std::string
    description(OutputStyle style) const override;

    std::unique_ptr<PatternBase>
    clone() const override;

    const std::string summary;

  private:
    std::function<bool(const std::string &)> is_legal;
    std::string legal;
  };

  /// Returns the summary of a pattern, or else its description.
  std::string
  summary_of(const dealii::Patterns::PatternBase &pattern);

  /// Matches the legal values of an option, or of any other entry that takes
  /// words or integers. Real numbers match at the ends of their interval, too.
  TestedPattern
  option_value(const Option &option, const std::string &summary = "");

  /// Matches names separated by commas, or `all`.
  TestedPattern
  names_or_all(const std::vector<std::string> &names, bool may_be_empty = false,
               const std::string &summary = "");
} // namespace tessera

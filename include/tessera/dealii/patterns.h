#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/operators/options.h>

#include <deal.II/base/patterns.h>

#include <string>
#include <vector>

namespace tessera
{
  /// A pattern whose description is long, so that doc/parameters.md has a
  /// summary of it, unless that is empty.
  class SummarizedPattern : public dealii::Patterns::PatternBase
  {
  public:
    explicit SummarizedPattern(const std::string &summary) : summary(summary)
    {}

    const std::string summary;
  };

  /// Returns the summary of a pattern, or else its description.
  std::string
  summary_of(const dealii::Patterns::PatternBase &pattern);

  /// Matches the legal values of an option of operators, or of any other entry
  /// that takes words or integers.
  class OptionValue : public SummarizedPattern
  {
  public:
    explicit OptionValue(const OperatorOption &option,
                         const std::string &summary = "");

    bool
    match(const std::string &value) const override;

    std::string
    description(OutputStyle style) const override;

    std::unique_ptr<PatternBase>
    clone() const override;

  private:
    OperatorOption option;
  };

  /// Matches names separated by commas, or `all`.
  class ListOfNames : public SummarizedPattern
  {
  public:
    explicit ListOfNames(const std::vector<std::string> &names,
                         bool may_be_empty          = false,
                         const std::string &summary = "");

    bool
    match(const std::string &value) const override;

    std::string
    description(OutputStyle style) const override;

    std::unique_ptr<PatternBase>
    clone() const override;

  private:
    std::vector<std::string> names;
    bool may_be_empty;
  };
} // namespace tessera

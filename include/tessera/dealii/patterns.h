#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <deal.II/base/patterns.h>

#include <string>
#include <vector>

namespace tessera
{
  /// Returns the names as "a|b|c", which is the format of deal.II's
  /// Patterns::Selection.
  std::string
  selection_of(const std::vector<std::string> &names);

  /// Matches `auto` or an integer in [lower, upper].
  class AutoOrInteger : public dealii::Patterns::PatternBase
  {
  public:
    AutoOrInteger(int lower, int upper);

    bool
    match(const std::string &value) const override;

    std::string
    description(OutputStyle style) const override;

    std::unique_ptr<PatternBase>
    clone() const override;

  private:
    int lower, upper;
  };

  /// Matches names separated by commas, or `all`.
  class ListOfNames : public dealii::Patterns::PatternBase
  {
  public:
    explicit ListOfNames(const std::vector<std::string> &names,
                         bool may_be_empty = false);

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

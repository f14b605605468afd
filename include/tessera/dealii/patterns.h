#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <deal.II/base/patterns.h>

#include <string>
#include <vector>

namespace tessera
{
  /// "a|b|c", as deal.II's Patterns::Selection wants it.
  std::string
  selection_of(const std::vector<std::string> &names);

  /// `auto` or an integer of a range.
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

  /// Names separated by commas, or `all`.
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

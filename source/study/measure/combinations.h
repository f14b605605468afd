#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

// What studies do with lists of values of their factors.
namespace tessera::benchmarks
{
  using Lists = std::vector<std::vector<std::string>>;

  /// Returns all combinations of one value from every list, the last list
  /// fastest. Throws ParameterError if there are more than anyone waits for.
  Lists
  all_combinations(const Lists &lists);

  /// Returns the combinations in which one list is varied and the others have
  /// their first value, except that the lists in `crossed` are always varied.
  /// Combinations may occur several times.
  Lists
  one_list_at_a_time(const Lists &lists, const std::vector<int> &crossed);

  /// A value of every factor, which an enumeration names; empty where a
  /// measurement does not depend on the factor.
  template <class Factor>
  struct ValuesOf
  {
    std::vector<std::string> values;

    std::string &
    operator[](const Factor factor)
    {
      return values[static_cast<int>(factor)];
    }

    const std::string &
    operator[](const Factor factor) const
    {
      return values[static_cast<int>(factor)];
    }
  };

  /// Returns the variants with the same values of the factors together, in the
  /// order in which these values come first.
  template <class Variant, class Factor>
  std::vector<std::vector<Variant>>
  group_by(const std::vector<Variant> &variants,
           const std::initializer_list<Factor> factors)
  {
    std::vector<std::vector<Variant>> groups;
    std::map<std::vector<std::string>, std::size_t> known;
    for (const Variant &variant : variants)
      {
        std::vector<std::string> values;
        for (const Factor factor : factors)
          values.push_back(variant[factor]);
        const auto [place, is_new] = known.emplace(values, groups.size());
        if (is_new)
          groups.emplace_back();
        groups[place->second].push_back(variant);
      }
    return groups;
  }
} // namespace tessera::benchmarks

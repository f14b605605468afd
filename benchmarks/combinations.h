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

  /// Returns the items with the same `key(item)` together, in the order in
  /// which the keys come first.
  template <class Item, class Key>
  std::vector<std::vector<Item>>
  group_by_key(const std::vector<Item> &items, const Key &key)
  {
    std::vector<std::vector<Item>> groups;
    std::map<std::vector<std::string>, std::size_t> known;
    for (const Item &item : items)
      {
        const auto [place, is_new] = known.emplace(key(item), groups.size());
        if (is_new)
          groups.emplace_back();
        groups[place->second].push_back(item);
      }
    return groups;
  }

  /// Returns the variants with the same values of the factors together, in the
  /// order in which these values come first.
  template <class Variant, class Factor>
  std::vector<std::vector<Variant>>
  group_by(const std::vector<Variant> &variants,
           const std::initializer_list<Factor> factors)
  {
    return group_by_key(variants, [&](const Variant &variant) {
      std::vector<std::string> key;
      for (const Factor factor : factors)
        key.push_back(variant[factor]);
      return key;
    });
  }
} // namespace tessera::benchmarks

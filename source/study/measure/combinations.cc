#include "combinations.h"

#include <tessera/base/error.h>

#include <algorithm>

namespace tessera::benchmarks
{
  namespace
  {
    /// More than anyone waits for.
    constexpr std::size_t most = 100000;
  } // namespace

  Lists
  all_combinations(const Lists &lists)
  {
    Lists result(1);
    for (const std::vector<std::string> &list : lists)
      {
        if (result.size() * list.size() > most)
          throw ParameterError("The entries of 'Factors' have more than " +
                               std::to_string(most) +
                               " combinations; shorten a list or set "
                               "'Study/Sweep' to one_factor.");
        Lists longer;
        for (const std::vector<std::string> &begun : result)
          for (const std::string &value : list)
            {
              longer.push_back(begun);
              longer.back().push_back(value);
            }
        result = std::move(longer);
      }
    return result;
  }

  Lists
  one_list_at_a_time(const Lists &lists, const std::vector<int> &crossed)
  {
    Lists result;
    const int n = static_cast<int>(lists.size());
    for (int varied = 0; varied < n; ++varied)
      {
        Lists shortened = lists;
        for (int i = 0; i < n; ++i)
          if (i != varied && std::count(crossed.begin(), crossed.end(), i) == 0)
            shortened[i].resize(1);
        for (auto &combination : all_combinations(shortened))
          result.push_back(std::move(combination));
      }
    return result;
  }
} // namespace tessera::benchmarks

#pragma once

#include <tessera/operators/factory.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::test
{
  /// Returns the names of operators that this program has: the study, which
  /// registers some, need not be linked.
  inline std::vector<std::string>
  linked(std::vector<std::string> names)
  {
    const auto known = operator_choices();
    names.erase(std::remove_if(names.begin(), names.end(),
                               [&known](const std::string &name) {
                                 return std::count(known.begin(), known.end(),
                                                   name) == 0;
                               }),
                names.end());
    return names;
  }

  inline bool
  is_linked(const std::string &name)
  {
    return !linked({name}).empty();
  }
} // namespace tessera::test

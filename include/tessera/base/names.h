#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera
{
  /// The names separated by commas, with "or" before the last.
  std::string
  list_of(const std::vector<std::string> &names);

  /// The place of `name` in `names`. Throws ParameterError, calling the thing
  /// `what` and listing the names, where it is not there.
  int
  index_of_name(const std::string &name, const std::vector<std::string> &names,
                const std::string &what);

  /// Printable characters of a text, at most 40 of them, for messages.
  std::string
  printable(std::string_view text);
} // namespace tessera

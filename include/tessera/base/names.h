#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera
{
  /// Returns the names separated by commas, with "or" before the last one.
  std::string
  list_of(const std::vector<std::string> &names);

  /// Returns the index of `name` in `names`. If it is not there, throws
  /// ParameterError; the message calls the thing `what` and lists the names.
  int
  index_of_name(const std::string &name, const std::vector<std::string> &names,
                const std::string &what);

  /// Returns the first 40 characters of a text for use in a message, with a
  /// question mark for each character that is not printable.
  std::string
  printable(std::string_view text);
} // namespace tessera

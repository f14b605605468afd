#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::program
{
  /// Returns the text without blanks and tabs around it.
  std::string
  trim(const std::string &text);

  /// Returns the parts of a text between separators, without blanks around
  /// them. A text of blanks has no parts, and a separator at the end adds none.
  std::vector<std::string>
  split(const std::string &text, char separator);

  /// Returns the finite decimal number in the text, or nothing.
  std::optional<double>
  number(const std::string &text);
} // namespace tessera::program

#include <tessera/program/text.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace tessera::program
{
  std::string
  trim(const std::string &text)
  {
    const char *const blanks = " \t\r\n";
    const std::size_t first  = text.find_first_not_of(blanks);
    if (first == std::string::npos)
      return "";
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
  }

  std::vector<std::string>
  split(const std::string &text, const char separator)
  {
    std::vector<std::string> parts;
    std::istringstream in(trim(text));
    for (std::string part; std::getline(in, part, separator);)
      parts.push_back(trim(part));
    return parts;
  }

  std::optional<double>
  number(const std::string &text)
  {
    char *end          = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != 0 || !std::isfinite(value) ||
        text.find_first_of("xX") != std::string::npos)
      return {};
    return value;
  }
} // namespace tessera::program

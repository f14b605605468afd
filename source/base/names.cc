#include <tessera/base/error.h>
#include <tessera/base/names.h>

#include <algorithm>

namespace tessera
{
  std::string
  list_of(const std::vector<std::string> &names)
  {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
      {
        if (i > 0)
          list += i + 1 < names.size() ? ", " : " or ";
        list += names[i];
      }
    return list;
  }

  int
  index_of_name(const std::string &name, const std::vector<std::string> &names,
                const std::string &what)
  {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw ParameterError("The " + what + " '" + name +
                           "' does not exist; it is " + list_of(names) + ".");
    return static_cast<int>(found - names.begin());
  }

  std::string
  printable(const std::string_view text)
  {
    std::string result;
    for (const char c : text.substr(0, 40))
      result += c >= ' ' && c <= '~' ? c : '?';
    return result;
  }
} // namespace tessera

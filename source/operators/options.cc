#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/operators/options.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tessera
{
  namespace
  {
    std::optional<int>
    integer(const std::string &text)
    {
      int value             = 0;
      const char *const end = text.data() + text.size();
      const auto read       = std::from_chars(text.data(), end, value);
      return read.ec == std::errc() && read.ptr == end ? std::optional(value)
                                                       : std::nullopt;
    }

    /// Returns the name in lower case, with `separator` between words.
    std::string
    in_lower_case(std::string name, const char separator)
    {
      for (char &c : name)
        c = c == ' ' ? separator : static_cast<char>(std::tolower(c));
      return name;
    }
  } // namespace

  bool
  OperatorOption::is_legal(const std::string &value) const
  {
    const std::optional<int> n = integer(value);
    return std::count(words.begin(), words.end(), value) > 0 ||
           (n && *n >= least && *n <= most);
  }

  std::string
  OperatorOption::legal() const
  {
    if (most < least)
      return list_of(words);
    return (words.empty() ? "" : list_of(words) + " or ") +
           "an integer n such that " + std::to_string(least) +
           " <= n <= " + std::to_string(most);
  }

  std::string
  OperatorOption::value(const StorageOptions &options) const
  {
    const auto found = options.find(name);
    if (found == options.end())
      return default_value;
    const std::optional<int> n = integer(found->second);
    return n ? std::to_string(*n) : found->second;
  }

  std::optional<int>
  OperatorOption::number(const StorageOptions &options) const
  {
    return integer(value(options));
  }

  std::string
  OptionSet::key() const
  {
    return in_lower_case(options.size() == 1 ? options[0].name : varied_as,
                         '_');
  }

  std::string
  OptionSet::command_line_name() const
  {
    return in_lower_case(varied_as, '-');
  }

  StorageOptions
  OptionSet::read(const std::string &text) const
  {
    std::vector<std::string> values(1);
    for (const char c : text)
      if (c == ':')
        values.emplace_back();
      else
        values.back() += c;
    bool good = values.size() <= options.size();
    StorageOptions result;
    for (std::size_t i = 0; good && i < values.size(); ++i)
      {
        const OperatorOption &option = options[i];
        good                         = option.is_legal(values[i]);
        const std::string value      = option.value({{option.name, values[i]}});
        if (value != option.default_value)
          result[option.name] = value;
      }
    if (!good)
      throw ParameterError(
        "'" + varied_as + "' was given as '" + printable(text) +
        "'; legal is " +
        (options.size() == 1 ? options[0].legal() : sentence()) + '.');
    if (check != nullptr)
      check(result);
    return result;
  }

  std::string
  OptionSet::text(const StorageOptions &storage) const
  {
    std::string result;
    for (const OperatorOption &option : options)
      result += (result.empty() ? "" : ":") + option.value(storage);
    return result;
  }

  std::vector<std::string>
  OptionSet::words() const
  {
    const OperatorOption &first = options.front();
    return options.size() > 1 || first.most >= first.least
             ? std::vector<std::string>()
             : first.words;
  }

  std::string
  OptionSet::sentence() const
  {
    if (options.size() == 1)
      return options[0].sentence;
    std::string names;
    for (const OperatorOption &option : options)
      names += (names.empty() ? "" : ":") + option.name;
    return names + ", such as " + text({}) +
           ", of which the last ones may be left out";
  }
} // namespace tessera

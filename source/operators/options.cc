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
    template <class T>
    std::optional<T>
    read_as(const std::string &text)
    {
      T value               = 0;
      const char *const end = text.data() + text.size();
      const auto read       = std::from_chars(text.data(), end, value);
      return read.ec == std::errc() && read.ptr == end ? std::optional(value)
                                                       : std::nullopt;
    }

    template <class T>
    std::string
    shortest(const T value)
    {
      char text[32];
      return {text, std::to_chars(text, text + sizeof(text), value).ptr};
    }
  } // namespace

  bool
  Option::is_legal(const std::string &value) const
  {
    if (is_real)
      {
        const std::optional<double> x = read_as<double>(value);
        return x && *x > least && *x < most;
      }
    const std::optional<int> n = read_as<int>(value);
    return std::count(words.begin(), words.end(), value) > 0 ||
           (n && *n >= least && *n <= most);
  }

  std::string
  Option::legal() const
  {
    if (is_real)
      return "numbers between " + std::to_string(least) + " and " +
             std::to_string(most) + ", without these";
    if (most < least)
      return list_of(words);
    return (words.empty() ? "" : list_of(words) + " or ") +
           "an integer n such that " + std::to_string(least) +
           " <= n <= " + std::to_string(most);
  }

  std::string
  Option::what_is_legal() const
  {
    return (is_real ? "legal are " : "legal is ") + legal();
  }

  std::string
  Option::value(const OptionValues &options) const
  {
    const auto found = options.find(name);
    if (found == options.end())
      return default_value;
    if (is_real)
      {
        const std::optional<double> x = read_as<double>(found->second);
        return x ? shortest(*x) : found->second;
      }
    const std::optional<int> n = read_as<int>(found->second);
    return n ? shortest(*n) : found->second;
  }

  std::optional<int>
  Option::number(const OptionValues &options) const
  {
    return read_as<int>(value(options));
  }

  double
  Option::real(const OptionValues &options) const
  {
    return read_as<double>(value(options)).value();
  }

  std::string
  OptionSet::key() const
  {
    std::string name = options.size() == 1 ? options[0].name : varied_as;
    for (char &c : name)
      c = c == ' ' ? '_' : static_cast<char>(std::tolower(c));
    return name;
  }

  OptionValues
  OptionSet::read(const std::string &text) const
  {
    std::vector<std::string> values(1);
    for (const char c : text)
      if (c == ':')
        values.emplace_back();
      else
        values.back() += c;
    bool good = values.size() <= options.size();
    OptionValues result;
    for (std::size_t i = 0; good && i < values.size(); ++i)
      {
        const Option &option    = options[i];
        good                    = option.is_legal(values[i]);
        const std::string value = option.value({{option.name, values[i]}});
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
  OptionSet::text(const OptionValues &storage) const
  {
    std::string result;
    for (const Option &option : options)
      result += (result.empty() ? "" : ":") + option.value(storage);
    return result;
  }

  std::vector<std::string>
  OptionSet::words() const
  {
    const Option &first = options.front();
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
    for (const Option &option : options)
      names += (names.empty() ? "" : ":") + option.name;
    return names + ", such as " + text({}) + "; the last ones may be left out";
  }

  void
  check_values(const OptionValues &values,
               const std::vector<const OptionSet *> &sets,
               const std::string &owner)
  {
    std::vector<std::string> names;
    for (const OptionSet *const set : sets)
      {
        for (const Option &option : set->options)
          {
            names.push_back(option.name);
            if (const std::string value = option.value(values);
                !option.is_legal(value))
              throw ParameterError("The option '" + option.name +
                                   "' was given as " + printable(value) + "; " +
                                   option.what_is_legal() + '.');
          }
        if (set->check != nullptr)
          set->check(values);
      }
    for (const auto &[name, value] : values)
      if (names.empty())
        throw ParameterError("The option '" + printable(name) +
                             "' was given to " + owner + ", which has none.");
      else
        index_of_name(name, names, "option of " + owner);
  }
} // namespace tessera

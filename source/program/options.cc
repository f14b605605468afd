#include <tessera/base/error.h>
#include <tessera/program/nearest.h>
#include <tessera/program/options.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tessera::program
{
  Options::Options(const std::string &program, const std::string &sentence)
    : program_name(program), sentence(sentence)
  {}

  void
  Options::add_flag(const std::string &name, const std::string &text)
  {
    options.push_back({name, "", "", text, 0, {}});
  }

  void
  Options::add(const std::string &name, const std::string &placeholder,
               const std::string &default_value, const std::string &text,
               const char letter)
  {
    options.push_back({name, placeholder, default_value, text, letter, {}});
  }

  void
  Options::add_positional(const std::string &placeholder,
                          const std::string &text)
  {
    positional_placeholder = placeholder;
    positional_text        = text;
  }

  void
  Options::parse(const std::vector<std::string> &given_words)
  {
    words = given_words;
    for (std::size_t i = 0; i < words.size(); ++i)
      {
        const std::string &argument = words[i];
        if (argument.empty() || argument == "-" || argument[0] != '-')
          {
            if (positional_placeholder.empty() || !word.empty())
              throw ParameterError(program_name +
                                   " does not know what to do with '" +
                                   argument + "'; it takes " +
                                   (positional_placeholder.empty()
                                      ? "options only"
                                      : "one " + positional_placeholder) +
                                   ".");
            word = argument;
            continue;
          }

        const bool is_long       = argument.compare(0, 2, "--") == 0;
        const std::size_t equals = argument.find('=');
        const bool attached      = is_long && equals != std::string::npos;
        const std::string name =
          attached ? argument.substr(0, equals) : argument;
        const auto option = std::find_if(
          options.begin(), options.end(), [&](const Option &known) {
            return is_long ? name == "--" + known.name
                           : name == std::string("-") + known.letter;
          });
        if (option == options.end())
          {
            std::vector<std::string> known;
            for (const Option &o : options)
              known.push_back("--" + o.name);
            const std::string full = is_long ? name : "-" + name;
            throw ParameterError("The option " + name + " is not known" +
                                 did_you_mean(full, known));
          }
        if (option->placeholder.empty())
          {
            if (attached)
              throw ParameterError(
                "The option " + name + " takes no value, but '" +
                argument.substr(equals + 1) + "' was given.");
            option->values.push_back("");
          }
        else if (attached)
          option->values.push_back(argument.substr(equals + 1));
        else if (i + 1 < words.size())
          option->values.push_back(words[++i]);
        else
          throw ParameterError("The option " + name + " needs a value: " +
                               name + " " + option->placeholder + ".");
      }
  }

  const Options::Option &
  Options::find(const std::string &name) const
  {
    for (const Option &option : options)
      if (option.name == name)
        return option;
    throw std::logic_error("option --" + name + " was not declared");
  }

  bool
  Options::given(const std::string &name) const
  {
    return !find(name).values.empty();
  }

  const std::string &
  Options::value(const std::string &name) const
  {
    const Option &option = find(name);
    return option.values.empty() ? option.default_value : option.values.back();
  }

  const std::vector<std::string> &
  Options::values(const std::string &name) const
  {
    return find(name).values;
  }

  int
  Options::integer(const std::string &name, const int min, const int max) const
  {
    const auto read = number(value(name));
    if (read && *read == std::floor(*read) && *read >= min && *read <= max)
      return static_cast<int>(*read);
    throw ParameterError("The option --" + name + " was given '" + value(name) +
                         "'; it takes a whole number from " +
                         std::to_string(min) + " to " + std::to_string(max) +
                         ".");
  }

  std::string
  Options::help() const
  {
    std::vector<std::pair<std::string, std::string>> lines;
    std::string usage = "usage: " + program_name;
    if (!positional_placeholder.empty())
      {
        usage += " " + positional_placeholder;
        lines.emplace_back(positional_placeholder, positional_text);
      }
    for (const Option &option : options)
      {
        std::string left = "--" + option.name;
        if (option.letter != 0)
          left = std::string("-") + option.letter + ", " + left;
        if (!option.placeholder.empty())
          left += " " + option.placeholder;
        lines.emplace_back(left, option.text +
                                   (option.default_value.empty()
                                      ? ""
                                      : " [" + option.default_value + "]"));
      }
    std::size_t width = 0;
    for (const auto &line : lines)
      width = std::max(width, line.first.size());
    std::string text = sentence + "\n\n" + usage + " [OPTION]...\n\n";
    for (const auto &line : lines)
      text += "  " + line.first +
              std::string(width + 2 - line.first.size(), ' ') + line.second +
              "\n";
    return text;
  }
} // namespace tessera::program

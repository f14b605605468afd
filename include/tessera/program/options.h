#pragma once

#include <string>
#include <vector>

namespace tessera::program
{
  /// The options that a program has, and what its command line contains. Every
  /// error is a ParameterError that names the option and its value.
  class Options
  {
  public:
    /// `sentence` is the description of the program in its help.
    Options(const std::string &program, const std::string &sentence);

    /// Declares an option without a value, `--name`.
    void
    add_flag(const std::string &name, const std::string &text);

    /// Declares an option with a value: `--name VALUE`, `--name=VALUE` and, if
    /// `letter` is not 0, `-letter VALUE`. `placeholder` stands for the value
    /// in the help. If the option is repeated, `value` returns the last value
    /// and `values` returns all.
    void
    add(const std::string &name, const std::string &placeholder,
        const std::string &default_value, const std::string &text,
        char letter = 0);

    /// Allows one word that is not an option.
    void
    add_positional(const std::string &placeholder, const std::string &text);

    /// Parses the words after the program's name. Throws ParameterError for an
    /// unknown option, naming the nearest known one, for a missing or
    /// superfluous value and for a second positional word.
    void
    parse(const std::vector<std::string> &words);

    /// True if the command line contains the option.
    bool
    given(const std::string &name) const;

    const std::string &
    value(const std::string &name) const;

    /// Returns all values of a repeated option, in order.
    const std::vector<std::string> &
    values(const std::string &name) const;

    /// Returns the value as a number, which may be written like 16e6. Throws if
    /// it is not a whole number in [min, max].
    int
    integer(const std::string &name, int min, int max) const;

    /// Returns the positional word; empty if there was none.
    const std::string &
    positional() const
    {
      return word;
    }

    const std::vector<std::string> &
    arguments() const
    {
      return words;
    }

    const std::string &
    program() const
    {
      return program_name;
    }

    /// Returns the usage and one line for every option.
    std::string
    help() const;

  private:
    struct Option
    {
      std::string name, placeholder, default_value, text;
      char letter;
      std::vector<std::string> values;
    };

    const Option &
    find(const std::string &name) const;

    std::string program_name, sentence;
    std::string positional_placeholder, positional_text;
    std::vector<Option> options;
    std::vector<std::string> words;
    std::string word;
  };
} // namespace tessera::program

#pragma once

#include <optional>
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

    /// Returns the comma-separated words of a value, without spaces around
    /// them.
    std::vector<std::string>
    list(const std::string &name) const;

    /// Does the same, but every word must be one of `legal`; the single word
    /// `all` stands for all of them.
    std::vector<std::string>
    list(const std::string &name, const std::vector<std::string> &legal) const;

    /// Returns the value as a number, which may be written like 16e6. Throws if
    /// it is not a whole number in [min, max].
    int
    integer(const std::string &name, int min, int max) const;

    std::vector<int>
    integers(const std::string &name, int min, int max) const;

    /// Returns a list of numbers in [0, most]; the word auto becomes an empty
    /// entry.
    std::vector<std::optional<int>>
    integers_or_auto(const std::string &name, int most) const;

    double
    real(const std::string &name, double min, double max) const;

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

    int
    to_integer(const Option &option, const std::string &text, int min,
               int max) const;

    std::string program_name, sentence;
    std::string positional_placeholder, positional_text;
    std::vector<Option> options;
    std::vector<std::string> words;
    std::string word;
  };
} // namespace tessera::program

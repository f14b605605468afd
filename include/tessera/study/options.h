#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::study
{
  /// The options that a program knows, and what its command line gave.
  /// Every error is a ParameterError that names the option and its value.
  class Options
  {
  public:
    /// `sentence` says in the help what the program does.
    Options(const std::string &program, const std::string &sentence);

    /// An option without a value, `--name`.
    void
    add_flag(const std::string &name, const std::string &text);

    /// An option with a value: `--name VALUE`, `--name=VALUE` and, where
    /// `letter` is not 0, `-letter VALUE`. `placeholder` stands for the value
    /// in the help. Given twice, the last one counts, or all in `values`.
    void
    add(const std::string &name, const std::string &placeholder,
        const std::string &default_value, const std::string &text,
        char letter = 0);

    /// At most one word that is not an option.
    void
    add_positional(const std::string &placeholder, const std::string &text);

    /// Reads the words after the program's name. Throws ParameterError for an
    /// unknown option, naming the nearest known one, for a missing or unwanted
    /// value and for a second positional word.
    void
    parse(const std::vector<std::string> &words);

    /// True if the command line holds the option.
    bool
    given(const std::string &name) const;

    const std::string &
    value(const std::string &name) const;

    /// All values given for a repeated option, in order.
    const std::vector<std::string> &
    values(const std::string &name) const;

    /// The comma-separated words of a value, spaces around them removed.
    std::vector<std::string>
    list(const std::string &name) const;

    /// Like `list`, where each word is one of `legal` or the only word is
    /// `all`, which stands for all of them.
    std::vector<std::string>
    list(const std::string &name, const std::vector<std::string> &legal) const;

    /// Numbers may be written like 16e6. Throws where it is not a whole number
    /// in [min, max].
    int
    integer(const std::string &name, int min, int max) const;

    std::vector<int>
    integers(const std::string &name, int min, int max) const;

    /// The same from 0 on; empty where the list says auto.
    std::vector<std::optional<int>>
    integers_or_auto(const std::string &name, int most) const;

    double
    real(const std::string &name, double min, double max) const;

    /// The positional word; empty where there was none.
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

    /// Usage and one line an option, ready for the screen.
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
} // namespace tessera::study

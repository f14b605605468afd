#pragma once

#include "mesh_scanner.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::mesh_files
{
  /// Returns a name of Abaqus as it is compared: in upper case but for what is
  /// in quotes, which are left out.
  std::string
  abaqus_key(std::string_view name);

  /// Returns a name of Abaqus without quotes.
  std::string
  abaqus_name(std::string_view name);

  /// A line of Abaqus that begins with a star.
  struct AbaqusKeyword
  {
    std::string name;  ///< in upper case without blanks, such as ENDPART
    std::string shown; ///< for messages, such as `*END PART`
    std::map<std::string, std::string> options; ///< keys as `name`

    bool
    has(const std::string &option) const
    {
      return options.count(option) > 0;
    }

    /// Returns the value of an option, or "".
    std::string
    value(const std::string &option) const
    {
      const auto found = options.find(option);
      return found == options.end() ? "" : found->second;
    }
  };

  /// Reads a text of Abaqus line by line. Comments are skipped, and errors name
  /// the line that was read last.
  class AbaqusText
  {
  public:
    AbaqusText(std::string_view text, const std::string &source)
      : text(text), in(text, source)
    {}

    /// Reads the next keyword. Returns false at the end of the file, and throws
    /// for a line of data.
    bool
    next(AbaqusKeyword &keyword);

    /// Reads the next line of data as the words between its commas. Returns
    /// false, and reads nothing, before a keyword and at the end of the file.
    bool
    next(std::vector<std::string> &words);

    void
    skip_data();

    /// Returns the value of a word, 0 if the word is empty.
    double
    real(const std::string &word, const std::string &expected);

    long long
    integer(const std::string &word, const std::string &expected);

    /// Throws unless every option of a keyword is one of `legal`.
    void
    check_options(const AbaqusKeyword &keyword,
                  const std::vector<std::string> &legal);

    /// Throws "... has '<found>' where <expected> is expected in line 3."
    [[noreturn]] void
    fail(std::string_view found, std::string_view expected);

    /// Throws "The mesh file ... <what>."
    [[noreturn]] void
    fail(const std::string &what) const
    {
      in.fail(what);
    }

    /// Returns the number of the line that was read last, from 1.
    int
    line() const;

    /// Returns " in line 3", for example.
    std::string
    in_line() const
    {
      return " in line " + std::to_string(line());
    }

    const Scanner &
    scanner() const
    {
      return in;
    }

    std::size_t
    where() const
    {
      return in.where();
    }

    void
    move_to(const std::size_t place)
    {
      in.move_to(place);
    }

  private:
    std::string_view text;
    Scanner in;
    std::size_t begin = 0; ///< of the line that was read last
    /// A place up to which lines were counted, and the number of its line.
    mutable std::size_t counted = 0;
    mutable int number          = 1;

    /// Skips blanks and comments. Returns false at the end of the file.
    bool
    find_line();
  };
} // namespace tessera::mesh_files

#pragma once

#include <tessera/program/patterns.h>

#include <filesystem>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  /// The entries of a parameter file. An entry has a path of sections and a
  /// name (`Mesh/Initial refinement`), a default, a pattern that every value
  /// must match, and a sentence of documentation. Every error is a
  /// ParameterError with one sentence that names the file, the line, the text
  /// that was read and the legal values.
  class Parameters
  {
  public:
    void
    declare(const std::string &path, const std::string &default_value,
            const Pattern &pattern, const std::string &documentation);

    /// Accepts, besides the declared subsections `section 1`, `section 2`, ...,
    /// subsections with any other number below 100000.
    void
    declare_any_number(const std::string &section);

    /// Returns the numbers of these subsections in ascending order, both the
    /// declared ones and the ones that were set.
    std::vector<int>
    numbers(const std::string &section) const;

    /// Makes formulas functions of the time t, too, unless the entry `path` has
    /// the value `stationary`.
    void
    declare_time(const std::string &path, const std::string &stationary)
    {
      time_entry = {path, stationary};
    }

    /// Returns true if formulas may use t.
    bool
    have_time() const
    {
      return !time_entry.first.empty() &&
             get(time_entry.first) != time_entry.second;
    }

    /// Reads the syntax of deal.II's parameter files: `subsection S`, `end` and
    /// `set NAME = VALUE`. The character `#` starts a comment that ends with
    /// the line; a backslash at the end of a line joins it with the next one.
    /// Keywords may have capitals, and `include FILE` reads another file, whose
    /// name is relative to the folder of this one. An entry `Function
    /// expression` may also be called `Expression`, and the other way round.
    /// `file_name` is used in messages.
    void
    read(std::istream &in, const std::string &file_name);

    /// Reads the file `path`, or standard input if it is `-`.
    void
    read(const std::string &path);

    /// Sets one entry like the option -s of the command line.
    void
    set(const std::string &path, const std::string &value);

    std::string
    get(const std::string &path) const;

    /// Returns true if a file or the command line set the entry.
    bool
    is_given(const std::string &path) const
    {
      const auto found = entries.find(path);
      return found != entries.end() && found->second.is_given;
    }

    /// Returns true if the value of the entry is not its default.
    bool
    is_changed(const std::string &path) const;

    int
    get_integer(const std::string &path) const;

    double
    get_double(const std::string &path) const;

    /// Throws ParameterError unless the value is positive and finite.
    double
    get_positive(const std::string &path) const;

    bool
    get_bool(const std::string &path) const;

    /// Returns the parts of a comma-separated list without surrounding blanks;
    /// an empty value gives an empty list.
    std::vector<std::string>
    get_list(const std::string &path) const;

    /// Returns the value as a file name. A relative path refers to the current
    /// folder if the file exists there, or to the folder of the parameter file
    /// if it exists there; otherwise it is returned unchanged.
    std::string
    get_file(const std::string &path) const;

    /// Does the same with a file name that is a part of a value.
    std::string
    find_file(const std::string &name) const;

    /// Makes `get_file` return `file`, which a program made from the file that
    /// the entry names. The value of the entry keeps the original name.
    void
    read_instead(const std::string &path, const std::string &file)
    {
      made_files[path] = file;
    }

    /// Prints all entries with values and documentation as a file that `read`
    /// accepts.
    void
    print(std::ostream &out) const;

    /// Prints the declarations as Markdown: a heading for every section and a
    /// table of its entries with default, legal values and documentation. The
    /// subsections `NAME 1`, `NAME 2` and so on are alike, so only the first
    /// one is printed.
    void
    print_markdown(std::ostream &out) const;

    /// Returns the path and the value of every entry.
    std::map<std::string, std::string>
    values() const;

    /// Returns the files that exist and that an entry `File` or a value
    /// `file NAME : ...` names, by the path of the entry.
    std::map<std::string, std::string>
    files() const;

  private:
    void
    set(const std::string &section, const std::string &name,
        const std::string &value, const std::string &where);

    void
    check_section(const std::string &section, const std::string &where) const;

    /// Declares a subsection with a number that is set for the first time.
    void
    add_number(const std::string &section);

    /// Reads the file `name` that the file `file_name` includes.
    void
    include(const std::string &name, const std::string &section,
            const std::string &file_name, const std::string &where);

    struct Entry
    {
      Pattern pattern;
      std::string default_value, value, documentation;
      bool is_given = false; ///< set by a file or the command line
    };

    const Entry &
    entry(const std::string &path) const;

    std::map<std::string, Entry> entries; ///< by path
    std::vector<std::string> paths;       ///< in the order of declarations
    std::set<std::string> any_number; ///< sections with any number behind them
    std::map<std::string, std::string> made_files;  ///< by path
    std::pair<std::string, std::string> time_entry; ///< path, value without t
    std::filesystem::path folder;
    std::vector<std::filesystem::path> including; ///< files that are read
  };
} // namespace tessera

#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <deal.II/base/parameter_handler.h>

#include <filesystem>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// The entries of a parameter file. An entry has a path of sections and a
  /// name, `Mesh/Initial refinement`, a default, a pattern that every value
  /// obeys and a sentence of documentation. All errors are a ParameterError of
  /// one sentence with file, line, what was read and what is legal.
  class Parameters
  {
  public:
    void
    declare(const std::string &path, const std::string &default_value,
            const dealii::Patterns::PatternBase &pattern,
            const std::string &documentation);

    /// Reads the syntax of deal.II's parameter files: `subsection S`, `end`,
    /// `set NAME = VALUE`, `#` up to the end of the line is a comment, a
    /// backslash at the end of a line joins it with the next one. `file_name`
    /// is for messages.
    void
    read(std::istream &in, const std::string &file_name);

    /// Reads a file, or standard input for `-`.
    void
    read(const std::string &path);

    /// Sets one entry, as the option -s of a command line does.
    void
    set(const std::string &path, const std::string &value);

    std::string
    get(const std::string &path) const;

    int
    get_integer(const std::string &path) const;

    double
    get_double(const std::string &path) const;

    bool
    get_bool(const std::string &path) const;

    /// The parts of a comma separated list, without surrounding blanks; none
    /// for an empty value.
    std::vector<std::string>
    get_list(const std::string &path) const;

    /// The value as a path: relative to the current folder where it exists
    /// there, else to the folder of the parameter file.
    std::string
    get_file(const std::string &path) const;

    /// All entries with values and documentation, as a file `read` accepts.
    void
    print(std::ostream &out) const;

    /// The declarations as Markdown: a heading for every section, its entries
    /// with default, legal values and documentation in a table. Of subsections
    /// `NAME 1` to `NAME 8`, which are alike, the first one stands for all.
    void
    print_markdown(std::ostream &out) const;

    /// Path and value of every entry.
    std::map<std::string, std::string>
    values() const;

  private:
    using Pattern = std::unique_ptr<dealii::Patterns::PatternBase>;

    void
    set(const std::string &section, const std::string &name,
        const std::string &value, const std::string &where);

    void
    check_section(const std::string &section, const std::string &where) const;

    struct Declaration
    {
      std::string path, default_value, documentation;
    };

    std::map<std::string, Pattern> patterns; ///< by path
    std::vector<Declaration> declarations;   ///< in their order
    std::filesystem::path folder;
    dealii::ParameterHandler handler;
  };
} // namespace tessera

#include "parameter_path.h"

#include <tessera/base/error.h>
#include <tessera/program/parameters.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <utility>

namespace tessera
{
  namespace
  {
    using parameter_path::join;
    using parameter_path::split;
    using program::trim;

    /// Returns the line without its comment, with blanks for tabs. Throws
    /// ParameterError for bytes that no text has.
    std::string
    without_comment(std::string line, const std::string &where)
    {
      for (char &c : line)
        {
          if (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r')
            throw ParameterError(where +
                                 ": The line has a control character, so that "
                                 "this is no parameter file.");
          c = c == '\t' ? ' ' : c;
        }
      return line.substr(0, line.find('#'));
    }

    std::string
    lower(std::string word)
    {
      std::transform(word.begin(), word.end(), word.begin(),
                     [](const unsigned char c) { return std::tolower(c); });
      return word;
    }
  } // namespace


  void
  Parameters::declare_any_number(const std::string &section)
  {
    any_number.insert(section);
  }


  std::vector<int>
  Parameters::numbers(const std::string &section) const
  {
    std::set<int> result;
    const std::string prefix = section + ' ';
    for (auto entry = entries.lower_bound(prefix);
         entry != entries.end() &&
         entry->first.compare(0, prefix.size(), prefix) == 0;
         ++entry)
      result.insert(std::atoi(entry->first.c_str() + prefix.size()));
    return {result.begin(), result.end()};
  }


  void
  Parameters::add_number(const std::string &section)
  {
    const auto space         = section.rfind(' ');
    const std::string number = section.substr(space + 1),
                      stem = section.substr(0, space), first = stem + " 1/";
    if (space == std::string::npos || any_number.count(stem) == 0 ||
        number.empty() || number.size() > 5 || number[0] == '0' ||
        number.find_first_not_of("0123456789") != std::string::npos)
      return;
    const auto known = paths; // which grow
    for (const std::string &one : known)
      if (one.compare(0, first.size(), first) == 0)
        if (const std::string path = section + '/' + one.substr(first.size());
            entries.count(path) == 0)
          {
            const Entry entry = entries.at(one);
            declare(path, entry.default_value, entry.pattern,
                    entry.documentation);
          }
  }


  void
  Parameters::read(std::istream &in, const std::string &file_name)
  {
    std::string section, text, line;
    std::string opened; // where the section was
    int number = 0;
    while (std::getline(in, line))
      {
        ++number;
        const std::string where = file_name + ':' + std::to_string(number);
        const std::string mark  = "\xEF\xBB\xBF"; // some editors' first bytes
        if (number == 1 && line.compare(0, mark.size(), mark) == 0)
          line.erase(0, mark.size());
        text += without_comment(line, where);
        text = trim(text);
        if (!text.empty() && text.back() == '\\')
          {
            text.back() = ' ';
            continue;
          }
        const std::string statement = std::exchange(text, "");
        const std::string first     = statement.substr(0, statement.find(' '));
        const std::string rest      = trim(statement.substr(first.size()));
        const std::string word      = lower(first);
        if (word.empty())
          continue;
        if (word == "subsection")
          {
            section = join(section, rest);
            add_number(section);
            check_section(section, where);
            opened = std::to_string(number);
          }
        else if (word == "end" && rest.empty())
          {
            if (section.empty())
              throw ParameterError(where +
                                   ": 'end' without an open 'subsection'.");
            section = split(section).section;
          }
        else if (word == "set" && rest.find('=') != std::string::npos)
          {
            const auto equals = rest.find('=');
            set(section, trim(rest.substr(0, equals)),
                trim(rest.substr(equals + 1)), where + ": ");
          }
        else if (word == "include" && !rest.empty())
          include(rest, section, file_name, where);
        else
          throw ParameterError(where + ": Cannot read '" + statement +
                               "'; legal are 'subsection NAME', 'end', "
                               "'set NAME = VALUE' and 'include FILE'.");
      }
    if (!section.empty())
      throw ParameterError(file_name + ':' + std::to_string(number) +
                           ": Section '" + section +
                           "' is not closed by 'end'; the last subsection was "
                           "opened in line " +
                           opened + '.');
  }


  void
  Parameters::include(const std::string &name, const std::string &section,
                      const std::string &file_name, const std::string &where)
  {
    if (!section.empty())
      throw ParameterError(where + ": 'include' stands in section '" + section +
                           "', but files are included outside of sections.");
    namespace fs = std::filesystem;
    const fs::path file =
      (fs::path(file_name).parent_path() / name).lexically_normal();
    if (std::find(including.begin(), including.end(), file) != including.end())
      throw ParameterError(where + ": The file '" + file.string() +
                           "' includes itself.");
    std::ifstream in(file);
    if (!in || (in.peek(), in.bad()))
      throw ParameterError(where + ": Cannot read the parameter file '" +
                           file.string() + "'.");
    including.push_back(file);
    read(in, file.string());
    including.pop_back();
  }


  void
  Parameters::read(const std::string &path)
  {
    if (path == "-")
      return read(std::cin, "standard input");
    std::ifstream in(path);
    if (!in || (in.peek(), in.bad()))
      throw ParameterError("Cannot read the parameter file '" + path + "'.");
    including = {std::filesystem::path(path).lexically_normal()};
    read(in, path);
    folder = std::filesystem::path(path).parent_path();
  }
} // namespace tessera

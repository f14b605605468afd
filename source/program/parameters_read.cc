#include "parameter_path.h"

#include <tessera/base/error.h>
#include <tessera/program/nearest.h>
#include <tessera/program/parameters.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <utility>

namespace tessera
{
  namespace
  {
    using parameter_path::join;
    using parameter_path::Path;
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

    /// Another name of entries `Expression`.
    const std::string formula_entry = "Function expression";

    std::string
    in_section(const std::string &section)
    {
      return section.empty() ? "" : " in section '" + section + "'";
    }

    /// Returns "; did you mean 'a'?", or all names if none is near. Names
    /// with numbers stand there as "a 1, 2, ...".
    std::string
    suggestion(const std::string &name, const std::set<std::string> &legal)
    {
      const std::vector<std::string> names(legal.begin(), legal.end());
      const std::string near = program::nearest(name, names);
      if (!near.empty())
        return "; did you mean '" + near + "'?";
      std::string list;
      for (const auto &entry : names)
        {
          const std::string stem =
            entry.substr(0, entry.find_last_not_of("0123456789") + 1);
          if (stem.size() == entry.size() || legal.count(stem + '1') == 0)
            list += (list.empty() ? "" : ", ") + entry;
          else if (entry == stem + '1')
            list += (list.empty() ? "" : ", ") + entry + ", 2, ...";
        }
      return list.empty()
               ? "."
               : "; there are " + list + (list.back() == '.' ? "" : ".");
    }

    /// Returns true if a name is a stem with something behind it that is no
    /// part of the same word.
    bool
    goes_on(const std::string &name, const std::string &stem)
    {
      return name.compare(0, stem.size(), stem) == 0 &&
             (name.size() == stem.size() ||
              std::isalpha(static_cast<unsigned char>(name[stem.size()])) == 0);
    }

    /// Returns the rest of `path` if it lies below `section`; otherwise "".
    std::string
    next_part(const std::string &path, const std::string &section)
    {
      const std::string prefix = section.empty() ? "" : section + '/';
      if (path.compare(0, prefix.size(), prefix) != 0)
        return "";
      return path.substr(prefix.size());
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
  Parameters::set(const std::string &path, const std::string &value)
  {
    const std::string where = "-s '" + path + '=' + value + '\'';
    const std::string text  = trim(path + '=' + value);
    if (std::any_of(text.begin(), text.end(),
                    [](const unsigned char c) { return c < ' ' && c != '\t'; }))
      throw ParameterError("A value of -s has a control character.");
    const Path place = split(trim(path));
    add_number(place.section);
    check_section(place.section, where);
    set(place.section, place.name, trim(value), where + ": ");
  }


  void
  Parameters::check_section(const std::string &section,
                            const std::string &where) const
  {
    const Path place = split(section);
    std::set<std::string> legal;
    for (const std::string &path : paths)
      {
        const std::string rest = next_part(path, place.section);
        const auto slash       = rest.find('/');
        if (slash != std::string::npos)
          legal.insert(rest.substr(0, slash));
      }
    if (section.empty() || legal.count(place.name))
      return;
    if (!place.section.empty())
      check_section(place.section, where);
    std::string hint = suggestion(place.name, legal);
    for (const std::string &numbered : any_number)
      if (const Path stem = split(numbered);
          stem.section == place.section && goes_on(place.name, stem.name))
        hint =
          "; behind '" + stem.name +
          " ' stands a whole number from 1 to 99999 without leading zeros.";
    for (std::string outer = place.section; !outer.empty();)
      {
        const std::string closed = outer;
        outer                    = split(outer).section;
        const std::string path   = join(outer, place.name) + '/';
        const auto found         = entries.lower_bound(path);
        if (found != entries.end() && found->first.rfind(path, 0) == 0)
          hint =
            "; there is one outside of it: is an 'end' missing that closes "
            "'" +
            closed + "'?";
      }
    throw ParameterError(where + ": There is no section '" + place.name + "'" +
                         in_section(place.section) + hint);
  }


  void
  Parameters::set(const std::string &section, const std::string &name,
                  const std::string &value, const std::string &where)
  {
    const auto entry = entries.find(join(section, name));
    if (entry == entries.end())
      {
        for (const auto &[one, other] :
             {std::pair<std::string, std::string>("Expression", formula_entry),
              {formula_entry, "Expression"}})
          if (name == one && entries.count(join(section, other)) > 0)
            return set(section, other, value, where);
        std::set<std::string> legal;
        for (const std::string &path : paths)
          {
            const std::string rest = next_part(path, section);
            if (!rest.empty() && rest.find('/') == std::string::npos)
              legal.insert(rest);
          }
        throw ParameterError(where + "There is no entry '" + name + "'" +
                             in_section(section) + suggestion(name, legal));
      }
    if (!entry->second.pattern.match(value))
      throw ParameterError(where + "'" + value + "' is not a legal value of '" +
                           entry->first +
                           "'; legal is: " + entry->second.pattern.legal + '.');
    made_files.erase(entry->first); // it was made of the earlier value
    entry->second.value    = value;
    entry->second.is_given = true;
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

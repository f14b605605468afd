#include "parameter_path.h"

#include <tessera/base/error.h>
#include <tessera/program/nearest.h>
#include <tessera/program/parameters.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace tessera
{
  namespace
  {
    using parameter_path::join;
    using parameter_path::Path;
    using parameter_path::split;
    using program::trim;

    /// Another name of entries `Expression`.
    const std::string formula_entry = "Function expression";

    std::string
    in_section(const std::string &section)
    {
      return section.empty() ? "" : " in section '" + section + "'";
    }

    /// Returns "; did you mean 'a'?", or all names if none is near.
    std::string
    suggestion(const std::string &name, const std::set<std::string> &legal)
    {
      const std::vector<std::string> names(legal.begin(), legal.end());
      const std::string near = program::nearest(name, names);
      if (!near.empty())
        return "; did you mean '" + near + "'?";
      std::string list;
      for (const auto &entry : names)
        list += (list.empty() ? "" : ", ") + entry;
      return list.empty() ? "." : "; there are " + list + ".";
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

    /// Breaks a text into lines of up to 78 characters, which begin with
    /// `mark`.
    std::string
    in_lines(const std::string &text, const std::string &mark)
    {
      std::string lines, line;
      std::istringstream words(text);
      for (std::string word; words >> word; line += ' ' + word)
        if (mark.size() + line.size() + word.size() > 78)
          lines += mark + std::exchange(line, "").substr(1) + '\n';
      return line.empty() ? lines : lines + mark + line.substr(1) + '\n';
    }
  } // namespace


  void
  Parameters::declare(const std::string &path, const std::string &default_value,
                      const Pattern &pattern, const std::string &documentation)
  {
    if (!pattern.match(default_value))
      throw std::logic_error("The default '" + default_value + "' of '" + path +
                             "' is not legal.");
    if (entries.count(path) == 0)
      paths.push_back(path);
    entries[path] = {pattern, default_value, default_value, documentation};
  }


  void
  Parameters::replace_values(
    const std::string &path,
    std::function<std::map<std::string, std::string>(const std::string &)>
      instead)
  {
    replacements[path] = std::move(instead);
  }


  std::string
  Parameters::get_file(const std::string &path) const
  {
    if (const auto made = made_files.find(path); made != made_files.end())
      return made->second;
    return find_file(get(path));
  }


  std::string
  Parameters::find_file(const std::string &name) const
  {
    const std::filesystem::path file = name;
    if (file.is_relative() && !std::filesystem::exists(file) &&
        std::filesystem::exists(folder / file))
      return (folder / file).string();
    return file.string();
  }


  void
  Parameters::set(const std::string &path, const std::string &value)
  {
    const std::string where = "-s '" + path + '=' + value + '\'';
    const Path place        = split(trim(path));
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
    const auto replacement = replacements.find(entry->first);
    const auto instead_of  = [&](const std::string &given) {
      try
        {
          return replacement->second(given);
        }
      catch (const ParameterError &error)
        {
          throw ParameterError(where + error.what());
        }
    };
    if (replacement != replacements.end())
      if (const auto instead = instead_of(value); !instead.empty())
        {
          std::string note;
          for (const auto &[path, new_value] : instead)
            {
              note += (note.empty() ? "'" : " and '") + split(path).name +
                      " = " + new_value + '\'';
              set(split(path).section, split(path).name, new_value, where);
            }
          std::cerr << "note: " << where << '\'' << name << " = " << value
                    << "' is now written " << note << '.' << std::endl;
          return;
        }
    if (!entry->second.pattern.match(value))
      throw ParameterError(where + "'" + value + "' is not a legal value of '" +
                           entry->first +
                           "'; legal is: " + entry->second.pattern.legal + '.');
    made_files.erase(entry->first); // it was made of the earlier value
    entry->second.value    = value;
    entry->second.is_given = true;
  }


  const Parameters::Entry &
  Parameters::entry(const std::string &path) const
  {
    const auto found = entries.find(path);
    if (found == entries.end())
      throw std::logic_error("The entry '" + path + "' was not declared.");
    return found->second;
  }


  std::string
  Parameters::get(const std::string &path) const
  {
    return entry(path).value;
  }


  bool
  Parameters::is_changed(const std::string &path) const
  {
    return entry(path).value != entry(path).default_value;
  }


  int
  Parameters::get_integer(const std::string &path) const
  {
    return static_cast<int>(get_double(path));
  }


  double
  Parameters::get_double(const std::string &path) const
  {
    return program::number(get(path)).value_or(
      std::numeric_limits<double>::quiet_NaN());
  }


  double
  Parameters::get_positive(const std::string &path) const
  {
    const double value = get_double(path);
    if (!(value > 0))
      throw ParameterError("'" + path + "' is " + get(path) +
                           "; legal are positive numbers.");
    return value;
  }


  bool
  Parameters::get_bool(const std::string &path) const
  {
    return get(path) == "true";
  }


  std::vector<std::string>
  Parameters::get_list(const std::string &path) const
  {
    return program::split(get(path), ',');
  }


  void
  Parameters::print(std::ostream &out) const
  {
    std::vector<std::string> sections; // each where its first entry is
    for (const std::string &path : paths)
      if (const std::string section = split(path).section;
          std::count(sections.begin(), sections.end(), section) == 0)
        sections.push_back(section);
    for (const std::string &section : sections)
      {
        std::string indent;
        for (const std::string &name : program::split(section, '/'))
          {
            out << indent << "subsection " << name << '\n';
            indent += "  ";
          }
        for (const std::string &path : paths)
          if (split(path).section == section)
            {
              const Entry &entry = entries.at(path);
              out << in_lines(entry.documentation, indent + "# ") << indent
                  << "set " << split(path).name << " = " << entry.value;
              if (entry.value != entry.default_value)
                out << " # default: " << entry.default_value;
              out << "\n\n";
            }
        for (; !indent.empty(); indent.resize(indent.size() - 2))
          out << indent.substr(2) << "end\n";
        out << '\n';
      }
  }


  void
  Parameters::print_markdown(std::ostream &out) const
  {
    // Sections keep their order; `A/B 1` to `A/B 8` appear as `A/B`.
    struct Section
    {
      std::string name;
      int last = 0; ///< number of the last one, or 0
      std::vector<std::string> paths;
    };
    std::vector<Section> sections;
    for (const std::string &path : paths)
      {
        std::string name  = split(path).section;
        const auto space  = name.rfind(' ');
        const bool counts = space != std::string::npos &&
                            space + 2 == name.size() &&
                            std::isdigit(name.back());
        const int number = counts ? name.back() - '0' : 0;
        if (counts)
          name.resize(space);
        const auto known =
          std::find_if(sections.begin(), sections.end(),
                       [&](const Section &s) { return s.name == name; });
        Section &section =
          known == sections.end() ? sections.emplace_back() : *known;
        section.name = name;
        section.last = number;
        if (number < 2)
          section.paths.push_back(path);
      }

    const auto cell = [](std::string text) {
      for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos;
           i += 2)
        text.insert(i, "\\");
      return text;
    };
    for (const Section &section : sections)
      {
        out << "\n### " << section.name;
        if (section.last > 0)
          out << (any_number.count(section.name) > 0
                    ? " 1, 2, ..."
                    : " 1 to " + std::to_string(section.last));
        out << "\n\n| entry | default | legal | meaning |\n|---|---|---|---|\n";
        for (const std::string &path : section.paths)
          {
            const Entry &entry       = entries.at(path);
            const std::string &value = entry.default_value;
            const Pattern &pattern   = entry.pattern;
            std::string legal =
              pattern.summary.empty() ? pattern.legal : pattern.summary;
            std::replace(legal.begin(), legal.end(), '\n', ' ');
            out << "| `" << split(path).name << "` | "
                << (value.empty() ? "" : '`' + cell(value) + '`') << " | "
                << cell(legal) << " | " << cell(entry.documentation) << " |\n";
          }
      }
  }


  std::map<std::string, std::string>
  Parameters::values() const
  {
    std::map<std::string, std::string> result;
    for (const auto &[path, entry] : entries)
      result[path] = entry.value;
    return result;
  }
} // namespace tessera

#include "parameter_path.h"

#include <tessera/base/error.h>
#include <tessera/fem/input/parameters.h>
#include <tessera/fem/input/patterns.h>
#include <tessera/program/nearest.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <utility>

namespace tessera
{
  namespace
  {
    using dealii::Utilities::trim;
    using parameter_path::join;
    using parameter_path::Path;
    using parameter_path::split;

    /// Another name of entries `Expression`.
    const std::string formula_entry = "Function expression";

    std::vector<std::string>
    parts(const std::string &section)
    {
      return section.empty()
               ? std::vector<std::string>()
               : dealii::Utilities::split_string_list(section, '/');
    }

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

    std::string
    legal_values(const dealii::Patterns::PatternBase &pattern)
    {
      return trim(pattern.description(dealii::Patterns::PatternBase::Text)) +
             '.';
    }
  } // namespace


  void
  Parameters::declare(const std::string &path, const std::string &default_value,
                      const dealii::Patterns::PatternBase &pattern,
                      const std::string &documentation)
  {
    const Path place    = split(path);
    const auto sections = parts(place.section);
    for (const auto &section : sections)
      handler.enter_subsection(section);
    handler.declare_entry(place.name, default_value, pattern, documentation);
    for (unsigned int i = 0; i < sections.size(); ++i)
      handler.leave_subsection();
    if (patterns.count(path) == 0)
      declarations.push_back({path, default_value, documentation});
    patterns[path] = pattern.clone();
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
    const std::filesystem::path file = get(path);
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
    check_section(place.section, where);
    set(place.section, place.name, trim(value), where + ": ");
  }


  void
  Parameters::check_section(const std::string &section,
                            const std::string &where) const
  {
    const Path place = split(section);
    std::set<std::string> legal;
    for (const auto &[path, pattern] : patterns)
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
        const auto found         = patterns.lower_bound(path);
        if (found != patterns.end() && found->first.rfind(path, 0) == 0)
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
    const auto entry = patterns.find(join(section, name));
    if (entry == patterns.end())
      {
        for (const auto &[one, other] :
             {std::pair<std::string, std::string>("Expression", formula_entry),
              {formula_entry, "Expression"}})
          if (name == one && patterns.count(join(section, other)) > 0)
            return set(section, other, value, where);
        std::set<std::string> legal;
        for (const auto &[path, pattern] : patterns)
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
    if (!entry->second->match(value))
      throw ParameterError(where + "'" + value + "' is not a legal value of '" +
                           entry->first +
                           "'; legal is: " + legal_values(*entry->second));

    const auto sections = parts(section);
    made_files.erase(entry->first); // it was made of the earlier value
    for (const auto &s : sections)
      handler.enter_subsection(s);
    handler.set(name, value);
    given.insert(entry->first);
    for (unsigned int i = 0; i < sections.size(); ++i)
      handler.leave_subsection();
  }


  std::string
  Parameters::get(const std::string &path) const
  {
    const Path place = split(path);
    return handler.get(parts(place.section), place.name);
  }


  bool
  Parameters::is_changed(const std::string &path) const
  {
    return std::any_of(
      declarations.begin(), declarations.end(), [&](const Declaration &entry) {
        return entry.path == path && entry.default_value != get(path);
      });
  }


  int
  Parameters::get_integer(const std::string &path) const
  {
    const Path place = split(path);
    return static_cast<int>(
      handler.get_integer(parts(place.section), place.name));
  }


  double
  Parameters::get_double(const std::string &path) const
  {
    // deal.II's own conversion throws for numbers near zero.
    return std::strtod(get(path).c_str(), nullptr);
  }


  double
  Parameters::get_positive(const std::string &path) const
  {
    const double value = get_double(path);
    if (!(value > 0) || !std::isfinite(value))
      throw ParameterError("'" + path + "' is " + get(path) +
                           "; legal are positive numbers.");
    return value;
  }


  bool
  Parameters::get_bool(const std::string &path) const
  {
    const Path place = split(path);
    return handler.get_bool(parts(place.section), place.name);
  }


  std::vector<std::string>
  Parameters::get_list(const std::string &path) const
  {
    return dealii::Utilities::split_string_list(get(path), ',');
  }


  void
  Parameters::print(std::ostream &out) const
  {
    handler.print_parameters(out,
                             dealii::ParameterHandler::PRM |
                               dealii::ParameterHandler::KeepDeclarationOrder);
  }


  void
  Parameters::print_markdown(std::ostream &out) const
  {
    // Sections keep their order; `A/B 1` to `A/B 8` appear as `A/B`.
    struct Section
    {
      std::string name;
      int last = 0; ///< number of the last one, or 0
      std::vector<const Declaration *> entries;
    };
    std::vector<Section> sections;
    for (const Declaration &declaration : declarations)
      {
        std::string name  = split(declaration.path).section;
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
          section.entries.push_back(&declaration);
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
          out << " 1 to " << section.last;
        out << "\n\n| entry | default | legal | meaning |\n|---|---|---|---|\n";
        for (const Declaration *entry : section.entries)
          {
            const std::string value = entry->default_value;
            std::string legal = trim(summary_of(*patterns.at(entry->path)));
            std::replace(legal.begin(), legal.end(), '\n', ' ');
            out << "| `" << split(entry->path).name << "` | "
                << (value.empty() ? "" : '`' + cell(value) + '`') << " | "
                << cell(legal) << " | " << cell(entry->documentation) << " |\n";
          }
      }
  }


  std::map<std::string, std::string>
  Parameters::values() const
  {
    std::map<std::string, std::string> result;
    for (const auto &[path, pattern] : patterns)
      result[path] = get(path);
    return result;
  }
} // namespace tessera

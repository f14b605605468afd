#include "parameter_path.h"

#include <tessera/base/error.h>
#include <tessera/program/parameters.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace tessera
{
  namespace
  {
    using parameter_path::join;
    using parameter_path::split;

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


  std::string
  Parameters::get_file(const std::string &path) const
  {
    if (const auto file = made_files.find(path); file != made_files.end())
      return file->second;
    return find_file(get(path));
  }


  std::string
  Parameters::find_file(const std::string &name) const
  {
    const std::filesystem::path file = name;
    std::error_code too_long; // a name that is none, such as a long formula
    if (file.is_relative() && !std::filesystem::exists(file, too_long) &&
        std::filesystem::exists(folder / file, too_long))
      return (folder / file).string();
    return file.string();
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
        std::string name       = split(path).section;
        const auto space       = name.rfind(' ');
        const bool is_numbered = space != std::string::npos &&
                                 space + 2 == name.size() &&
                                 std::isdigit(name.back());
        const int number = is_numbered ? name.back() - '0' : 0;
        if (is_numbered)
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


  std::map<std::string, std::string>
  Parameters::files() const
  {
    std::map<std::string, std::string> result;
    for (const auto &[path, entry] : entries)
      {
        const std::string keyword = "file ", last = "/File";
        std::string name = entry.value;
        if (name.rfind(keyword, 0) == 0)
          name = program::trim(
            name.substr(keyword.size(), name.find(':') - keyword.size()));
        else if (path.size() < last.size() ||
                 path.compare(path.size() - last.size(), last.size(), last) !=
                   0)
          continue;
        std::error_code failure;
        name = find_file(name);
        if (std::filesystem::is_regular_file(name, failure))
          result[path] = name;
      }
    return result;
  }
} // namespace tessera

#include "abaqus_keywords.h"
#include "abaqus_reader.h"

#include <tessera/base/counted.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace tessera::mesh_files
{
  MeshFile
  Abaqus::read()
  {
    MeshFile &mesh = model.mesh;
    read_keywords();
    const bool assembled = model.scopes.size() > 1;
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (!parts[p].is_used && assembled)
        mesh.notes.push_back("the part '" + parts[p].name + "' of the " +
                             mesh.source + " has no instance and is left out.");
      else if (!assembled)
        read_part(static_cast<int>(p), parts[p].name);
    if (!parts.empty() && !assembled)
      mesh.notes.push_back("the " + mesh.source +
                           " has parts without instances, which are placed "
                           "once and as they are.");
    if (mesh.vertices.empty() || mesh.elements.empty())
      in.fail(mesh.vertices.empty()
                ? "has no section '*NODE' with nodes"
                : "has no section '*ELEMENT' with elements");
    note_keywords();
    note_types();
    assign_groups(model, in.scanner());
    if (model.scopes.size() > 2)
      mesh.piece = std::move(model.scope_of_node);
    return std::move(mesh);
  }


  void
  Abaqus::pass_over(const AbaqusKeyword &keyword)
  {
    auto known = std::find_if(not_used.begin(), not_used.end(),
                              [&](const auto &keyword_and_lines) {
                                return keyword_and_lines.first == keyword.shown;
                              });
    if (known == not_used.end())
      known = not_used.insert(known, {keyword.shown, {}});
    known->second.insert(in.line());
    in.skip_data();
  }


  void
  Abaqus::note_keywords()
  {
    Words list;
    for (const auto &[keyword, lines] : not_used)
      {
        std::string where = " (line " + std::to_string(*lines.begin());
        if (lines.size() > 1)
          where += " and " + std::to_string(lines.size() - 1) + " more";
        list.push_back(keyword + where + ')');
      }
    note_unused(model.mesh, list);
  }


  void
  Abaqus::note_types()
  {
    MeshFile &mesh = model.mesh;
    std::string plane, marks;
    for (const auto &name : types_used)
      {
        const int d = dimension(abaqus_types().at(name).first);
        std::string *const list =
          d < mesh.dimension() ? &marks
          : d == 2 && name.substr(0, 3) != "CPE" && name.substr(0, 2) != "DC"
            ? &plane
            : nullptr;
        if (list != nullptr)
          *list += (list->empty() ? "" : ", ") + name;
      }
    if (!plane.empty())
      mesh.notes.push_back(
        "cells of the " + mesh.source + " have the type " + plane +
        ": parameters, not the file, say whether plane cells are in plane "
        "stress, in plane strain or of a solid of revolution.");
    if (!marks.empty())
      mesh.notes.push_back(
        "elements of the type " + marks + " of the " + mesh.source +
        " mark faces and edges alone: beams, trusses, shells "
        "and membranes have no stiffness here.");
  }


  void
  Abaqus::read_keywords(const std::string &end)
  {
    AbaqusKeyword keyword;
    while (in.next(keyword))
      {
        const std::string &name = keyword.name;
        const bool of_model     = end.empty();
        if (name == end && !of_model)
          return;
        if (name == "NODE")
          read_nodes(keyword);
        else if (name == "ELEMENT")
          read_elements(keyword);
        else if (name == "NSET")
          read_set(keyword, "NSET", model.node_sets);
        else if (name == "ELSET")
          read_set(keyword, "ELSET", model.element_sets);
        else if (name == "SURFACE")
          read_surface(keyword);
        else if (name == "PART" && of_model)
          skip_part(keyword);
        else if (name == "INSTANCE" && of_model)
          read_instance(keyword);
        else if ((name == "ASSEMBLY" || name == "ENDASSEMBLY") && of_model)
          in.check_options(keyword, {"NAME"});
        else if (name == "ENDSTEP" && in_step)
          in_step = false;
        else if (name == "STEP" || leaves_mesh(name) ||
                 (in_step && name != "INCLUDE"))
          {
            in_step = in_step || name == "STEP";
            pass_over(keyword);
          }
        else
          in.fail("has the keyword '" + printable(keyword.shown) + '\'' +
                  in.in_line() +
                  ", which this reader does not know and which may change "
                  "the mesh; it reads *NODE, *ELEMENT, *NSET, *ELSET, "
                  "*SURFACE, *PART, *ASSEMBLY and *INSTANCE, and passes over "
                  "materials, sections, contact, loads and steps");
      }
    if (!end.empty())
      in.fail("is truncated: it ends before '*" + end.substr(0, 3) + ' ' +
              end.substr(3) + '\'');
  }


  void
  Abaqus::read_nodes(const AbaqusKeyword &keyword)
  {
    in.check_options(keyword, {"NSET", "SYSTEM"});
    const std::string system = abaqus_key(keyword.value("SYSTEM"));
    if (!system.empty() && system != "R" && system != "C")
      in.fail(system, "R or C, rectangular or cylindrical coordinates,");
    AbaqusGroup *const set =
      keyword.has("NSET")
        ? &model.node_sets.get(scope, required(keyword, "NSET"))
        : nullptr;
    AbaqusScope &current = model.scopes[scope];
    bool is_first        = true;
    for (Words words; in.next(words);)
      {
        if (words.empty() || words.size() > 7)
          in.fail(words.empty() ? "" : words[0], "a node and its coordinates");
        std::array<double, 3> x{};
        for (std::size_t d = 0; d < 3 && d + 1 < words.size(); ++d)
          x[d] = in.real(words[d + 1], "a coordinate");
        if (system == "C")
          {
            const double angle = x[1] * M_PI / 180;
            x = {{x[0] * std::cos(angle), x[0] * std::sin(angle), x[2]}};
          }
        const long long label = in.integer(words[0], "a node");
        add_vertex(model.mesh, current.nodes, in.scanner(), label,
                   placement(x));
        model.scope_of_node.push_back(scope);
        ++current.n_nodes;
        add_label(set, label, is_first);
        is_first = false;
      }
  }


  void
  Abaqus::read_elements(const AbaqusKeyword &keyword)
  {
    in.check_options(keyword, {"TYPE", "ELSET"});
    const auto &types      = abaqus_types();
    const std::string name = abaqus_key(keyword.value("TYPE"));
    const auto type        = types.find(name);
    if (type == types.end())
      {
        std::string legal;
        for (const auto &[each, cell] : types)
          legal += (legal.empty() ? "" : ", ") + each;
        in.fail("has elements of type '" + printable(name) + '\'' +
                in.in_line() + "; legal are " + legal);
      }
    AbaqusGroup *const set =
      keyword.has("ELSET")
        ? &model.element_sets.get(scope, required(keyword, "ELSET"))
        : nullptr;
    AbaqusScope &current             = model.scopes[scope];
    const auto [cell_type, n_middle] = type->second;
    types_used.insert(name);
    const std::size_t n = n_vertices(cell_type) + n_middle;
    bool is_first       = true;
    for (Words words, rest; in.next(words);)
      {
        while (words.size() < n + 1)
          {
            if (!in.next(rest))
              in.fail("ends in the middle of element " +
                      printable(words.empty() ? "" : words[0]));
            words.insert(words.end(), rest.begin(), rest.end());
          }
        if (words.size() != n + 1)
          in.fail("has " + counted(words.size() - 1, "node") +
                  " for the element " + printable(words[0]) + " of type " +
                  name + ", which has " + std::to_string(n));
        const long long label = in.integer(words[0], "an element");
        std::vector<long long> corners, middle;
        for (std::size_t i = 1; i <= n; ++i)
          (i + n_middle <= n ? corners : middle)
            .push_back(in.integer(words[i], "a node of an element"));
        if (!current.elements.emplace(label, model.mesh.elements.size()).second)
          in.fail("has the element " + printable(words[0]) + " twice");
        add_element(model.mesh, current.nodes, in.scanner(), cell_type, label,
                    0, corners);
        if (n_middle > 0)
          add_middle_nodes(model.mesh, current.nodes, in.scanner(), middle,
                           n_middle == 19 ? abaqus_hexahedron
                                          : std::vector<int>());
        add_label(set, label, is_first);
        is_first = false;
      }
  }


  void
  Abaqus::add_label(AbaqusGroup *const set, const long long label,
                    const bool is_first) const
  {
    if (set == nullptr)
      return;
    auto &members = set->members;
    if (!is_first && members.back().last == label - 1)
      members.back().last = label;
    else
      members.push_back({scope, -1, -1, in.line(), label, label, 1});
  }


  AbaqusMember
  Abaqus::member(const std::string &word, const int of_scope)
  {
    AbaqusMember result;
    result.scope    = of_scope;
    result.line     = in.line();
    std::string key = abaqus_key(word);
    for (auto dot = key.find('.'); dot != key.npos && of_scope == 0;
         dot      = key.find('.', dot + 1))
      if (const auto found = scope_numbers.find(key.substr(0, dot));
          found != scope_numbers.end())
        {
               result.scope = found->second;
               key.erase(0, dot + 1);
               break;
        }
    if (key.empty())
      in.fail(word, "a number or a set");
    if (std::isdigit(static_cast<unsigned char>(key[0])) != 0 ||
        key[0] == '-' || key[0] == '+')
      result.first = result.last = in.integer(key, "a number or a set");
    else
      {
        result.set = static_cast<int>(model.keys.size());
        model.keys.push_back(key);
      }
    return result;
  }


  void
  Abaqus::read_set(const AbaqusKeyword &keyword, const std::string &name_option,
                   AbaqusGroups &sets)
  {
    in.check_options(
      keyword, {name_option, "INSTANCE", "GENERATE", "INTERNAL", "UNSORTED"});
    AbaqusGroup &set = sets.get(scope, required(keyword, name_option));
    const int of =
      keyword.has("INSTANCE")
        ? find(scope_numbers, keyword.value("INSTANCE"), "instance")
        : scope;
    for (Words words; in.next(words);)
      if (!keyword.has("GENERATE"))
        for (const auto &word : words)
          set.members.push_back(member(word, of));
      else
        {
          constexpr long long most = 1LL << 60;
          if (words.size() < 2 || words.size() > 3)
            in.fail(words.empty() ? "" : words[0],
                    "first, last and increment of a set");
          AbaqusMember range;
          range.scope = of;
          range.line  = in.line();
          range.first = in.integer(words[0], "a first number");
          range.last  = in.integer(words[1], "a last number");
          if (words.size() == 3)
            range.step = in.integer(words[2], "an increment");
          if (range.step < 1 || range.step > most)
            in.fail(words.back(), "a positive increment");
          if (range.first < 0 || range.last < range.first || range.last > most)
            in.fail(words[1], "a last number behind the first");
          set.members.push_back(range);
        }
  }


  void
  Abaqus::read_surface(const AbaqusKeyword &keyword)
  {
    const std::string type = abaqus_key(keyword.value("TYPE"));
    for (const char *const analytical :
         {"CYLINDER", "REVOLUTION", "SEGMENTS", "USER"})
      if (type == analytical) // no part of the mesh
        return pass_over(keyword);
    in.check_options(keyword, {"NAME", "TYPE", "INTERNAL", "TRIM"});
    if (!type.empty() && type != "ELEMENT" && type != "NODE")
      in.fail(type, "ELEMENT or NODE, the type of a surface,");
    const bool of_nodes = type == "NODE";
    AbaqusGroup &group  = (of_nodes ? model.node_sets : model.surfaces)
                           .get(scope, required(keyword, "NAME"));
    for (Words words; in.next(words);)
      {
        const std::string side = words.size() == 2 ? abaqus_key(words[1]) : "";
        const bool is_side     = side.size() == 2 && side[0] == 'S' &&
                             side[1] >= '1' && side[1] <= '6';
        if (words.empty() || (!of_nodes && !is_side))
          in.fail(words.empty() ? "" : words[0],
                  "an element or a set, and a side S1 to S6");
        group.members.push_back(member(words[0], scope));
        if (!of_nodes)
          group.members.back().side = side[1] - '1';
      }
  }


  std::string
  Abaqus::required(const AbaqusKeyword &keyword,
                   const std::string &option) const
  {
    const std::string value = keyword.value(option);
    if (abaqus_key(value).empty())
      in.fail("has '" + printable(keyword.shown) + "' without '" + option +
              "='" + in.in_line());
    return value;
  }


  MeshFile
  read_abaqus(const std::string_view text, const std::string &source)
  {
    return Abaqus(text, source).read();
  }
} // namespace tessera::mesh_files

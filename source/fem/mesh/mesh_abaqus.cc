#include "abaqus_types.h"
#include "mesh_scanner.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

namespace tessera::mesh_files
{
  namespace
  {
    std::string
    upper(std::string text)
    {
      std::transform(text.begin(), text.end(), text.begin(),
                     [](const unsigned char c) { return std::toupper(c); });
      return text;
    }

    /// Returns the parts between commas, without surrounding blanks.
    std::vector<std::string>
    split(const std::string_view line)
    {
      std::vector<std::string> parts;
      std::istringstream in{std::string(line)};
      std::string part;
      while (std::getline(in, part, ','))
        {
          const auto begin = part.find_first_not_of(" \t");
          const auto end   = part.find_last_not_of(" \t");
          parts.push_back(begin == std::string::npos
                            ? ""
                            : part.substr(begin, end - begin + 1));
        }
      while (!parts.empty() && parts.back().empty())
        parts.pop_back();
      return parts;
    }


    /// Reads the keywords *NODE, *ELEMENT, *ELSET and *SURFACE of a text of
    /// Abaqus. Every element set becomes an id with a name, and every surface a
    /// boundary id; both are counted from 1 in the order of the file.
    class Abaqus
    {
    public:
      Abaqus(const std::string_view text, const std::string &source)
        : in(text, source)
      {
        mesh.source = source;
      }

      MeshFile
      read();

    private:
      using Options = std::map<std::string, std::string>;

      Scanner in;
      MeshFile mesh;
      Labels labels = Labels(0);
      /// Maps the label of an element to its place in `mesh.elements`.
      std::map<long long, std::size_t> places;
      std::map<std::string, std::vector<long long>> sets;
      std::map<std::string, std::string> set_names; ///< spelt as in the file
      std::vector<std::string> order;               ///< keys of `sets`
      struct Side
      {
        std::string set;
        int side;
        int id;
      };
      std::vector<Side> sides;
      std::vector<std::string> surfaces; ///< names

      long long
      integer(const std::string &text, const std::string &expected)
      {
        Scanner number(text, mesh.source);
        if (text.empty())
          in.fail(text, expected);
        try
          {
            const long long value = number.integer(expected);
            if (number.at_end())
              return value;
          }
        catch (const std::exception &)
          {}
        in.fail(text, expected);
      }

      std::vector<long long> &
      make_set(const std::string &name)
      {
        const std::string key = upper(name);
        if (set_names.emplace(key, name).second)
          order.push_back(key);
        return sets[key];
      }

      void
      read_nodes();
      void
      read_elements(const Options &options);
      void
      read_set(const Options &options);
      void
      read_surface(const Options &options);
      void
      assign_ids();

      /// Returns the next line of data, split; empty if a keyword or the end of
      /// the file follows.
      std::vector<std::string>
      data()
      {
        while (!in.at_end() && in.peek_line().substr(0, 2) == "**")
          in.line();
        if (in.at_end() || in.peek_line()[0] == '*')
          return {};
        return split(in.line());
      }
    };


    MeshFile
    Abaqus::read()
    {
      while (!in.at_end())
        {
          const auto line = in.line();
          if (line[0] != '*')
            continue;
          const auto parts = split(line.substr(1));
          Options options;
          for (const auto &part : parts)
            {
              const auto equals = part.find('=');
              const auto after  = equals == std::string::npos
                                    ? equals
                                    : part.find_first_not_of(" \t", equals + 1);
              std::string key   = upper(part.substr(0, equals));
              key.erase(key.find_last_not_of(" \t") + 1);
              options[key] =
                after == std::string::npos ? "" : part.substr(after);
            }
          const std::string keyword = parts.empty() ? "" : upper(parts[0]);
          if (keyword == "NODE")
            read_nodes();
          else if (keyword == "ELEMENT")
            read_elements(options);
          else if (keyword == "ELSET")
            read_set(options);
          else if (keyword == "SURFACE")
            read_surface(options);
          else if (keyword == "INCLUDE")
            in.fail("includes another file, which is not supported");
        }
      if (mesh.vertices.empty() || mesh.elements.empty())
        in.fail("has no section '*" +
                std::string(mesh.vertices.empty() ? "NODE" : "ELEMENT") +
                "' with data of cells");
      assign_ids();
      return std::move(mesh);
    }


    void
    Abaqus::read_nodes()
    {
      for (auto entry = data(); !entry.empty(); entry = data())
        {
          if (entry.size() < 3 || entry.size() > 7)
            in.fail(entry[0], "a node and its coordinates");
          std::array<double, 3> point{};
          for (std::size_t d = 0; d < 3 && d + 1 < entry.size(); ++d)
            point[d] = Scanner(entry[d + 1], mesh.source).real("a coordinate");
          add_vertex(mesh, labels, in, integer(entry[0], "a node"), point);
        }
    }


    void
    Abaqus::read_elements(const Options &options)
    {
      const auto &types = abaqus_types();
      const auto option = options.find("TYPE");
      const std::string name =
        option == options.end() ? "" : upper(option->second);
      const auto type = types.find(name);
      if (type == types.end())
        {
          std::string legal;
          for (const auto &[each, cell] : types)
            legal += (legal.empty() ? "" : ", ") + each;
          in.fail("has elements of type '" + printable(name) + "'; legal are " +
                  legal);
        }
      const auto set                   = options.find("ELSET");
      const auto [cell_type, n_middle] = type->second;
      const std::size_t n              = n_vertices(cell_type) + n_middle;
      for (auto entry = data(); !entry.empty(); entry = data())
        {
          const auto first = entry[0];
          while (entry.size() < n + 1)
            {
              const auto rest = data();
              if (rest.empty())
                in.fail("ends in the middle of element " + printable(first));
              entry.insert(entry.end(), rest.begin(), rest.end());
            }
          if (entry.size() != n + 1)
            in.fail("has " + std::to_string(entry.size() - 1) +
                    " nodes for the element " + printable(first) + " of type " +
                    name + ", which has " + std::to_string(n));
          const long long label = integer(first, "an element");
          std::vector<long long> corners, middle;
          for (std::size_t i = 1; i <= n; ++i)
            (i + n_middle <= n ? corners : middle)
              .push_back(integer(entry[i], "a node of an element"));
          if (!places.emplace(label, mesh.elements.size()).second)
            in.fail("has the element " + printable(first) + " twice");
          add_element(mesh, labels, in, cell_type, label, 0, corners);
          if (n_middle > 0)
            add_middle_nodes(mesh, labels, middle);
          if (set != options.end())
            make_set(set->second).push_back(label);
        }
    }


    void
    Abaqus::read_set(const Options &options)
    {
      const auto name = options.find("ELSET");
      if (name == options.end() || name->second.empty())
        in.fail("has an '*ELSET' without a name");
      auto &set           = make_set(name->second);
      const bool generate = options.count("GENERATE") > 0;
      for (auto entry = data(); !entry.empty(); entry = data())
        if (generate)
          {
            if (entry.size() < 2 || entry.size() > 3)
              in.fail(entry[0], "first, last and increment of a set");
            const long long first = integer(entry[0], "an element");
            const long long last  = integer(entry[1], "an element");
            const long long step =
              entry.size() == 3 ? integer(entry[2], "an increment") : 1;
            if (step < 1)
              in.fail(entry.back(), "a positive increment");
            for (auto place = places.lower_bound(first);
                 place != places.end() && place->first <= last; ++place)
              if ((place->first - first) % step == 0)
                set.push_back(place->first);
          }
        else
          for (const auto &member : entry)
            {
              const auto other = sets.find(upper(member));
              if (other == sets.end())
                set.push_back(integer(member, "an element or a set"));
              else
                {
                  const auto copy = other->second;
                  set.insert(set.end(), copy.begin(), copy.end());
                }
            }
    }


    void
    Abaqus::read_surface(const Options &options)
    {
      const auto name = options.find("NAME");
      const auto type = options.find("TYPE");
      if (type != options.end() && upper(type->second) != "ELEMENT")
        return;
      if (name == options.end() || name->second.empty())
        in.fail("has a '*SURFACE' without a name");
      surfaces.push_back(name->second);
      for (auto entry = data(); !entry.empty(); entry = data())
        {
          if (entry.size() != 2 || entry[1].size() != 2 ||
              upper(entry[1])[0] != 'S' || entry[1][1] < '1' ||
              entry[1][1] > '6')
            in.fail(entry[0], "an element or a set, and a side S1 to S6");
          sides.push_back({upper(entry[0]), entry[1][1] - '1',
                           static_cast<int>(surfaces.size())});
        }
    }


    /// Returns the corners of the sides S1 to S6 in Abaqus's order of corners.
    std::vector<int>
    side_corners(const CellType type, const int side)
    {
      static const std::map<CellType, std::vector<std::vector<int>>> sides = {
        {CellType::triangle, {{0, 1}, {1, 2}, {2, 0}}},
        {CellType::quadrilateral, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
        {CellType::tetrahedron, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}},
        {CellType::hexahedron,
         {{0, 1, 2, 3},
          {4, 7, 6, 5},
          {0, 4, 5, 1},
          {1, 5, 6, 2},
          {2, 6, 7, 3},
          {3, 7, 4, 0}}}};
      const auto entry = sides.find(type);
      if (entry == sides.end() ||
          side >= static_cast<int>(entry->second.size()))
        return {};
      return entry->second[side];
    }


    void
    Abaqus::assign_ids()
    {
      const int top        = mesh.dimension();
      const int n_surfaces = static_cast<int>(surfaces.size());
      for (int id = 1; id <= n_surfaces && top > 1; ++id)
        add_name(mesh, in, top - 1, surfaces[id - 1], id);
      for (std::size_t k = 0; k < order.size(); ++k)
        for (const long long label : sets[order[k]])
          {
            const auto place = places.find(label);
            if (place == places.end())
              in.fail("has no element " + std::to_string(label) +
                      ", which the set '" + printable(set_names[order[k]]) +
                      "' names");
            const int d = dimension(mesh.elements[place->second].type);
            // A surface and a set of faces with the same name are one group.
            const auto surface =
              std::find(surfaces.begin(), surfaces.end(), set_names[order[k]]);
            const int id =
              d == top - 1 && surface != surfaces.end()
                ? static_cast<int>(surface - surfaces.begin()) + 1
                : static_cast<int>(k) + 1 + (d < top ? n_surfaces : 0);
            add_group(mesh, place->second, id);
            add_name(mesh, in, d, set_names[order[k]], id);
          }

      constexpr int order_of_corners[] = {0, 1, 3, 2, 4, 5, 7, 6};
      for (const auto &[set, side, id] : sides)
        {
          std::vector<long long> members;
          if (const auto named = sets.find(set); named != sets.end())
            members = named->second;
          else
            members = {integer(set, "an element or a set of a surface")};
          for (const long long label : members)
            {
              const auto place = places.find(label);
              if (place == places.end())
                in.fail("has no element " + std::to_string(label) +
                        ", which a surface names");
              const auto cell    = mesh.elements[place->second];
              const auto corners = side_corners(cell.type, side);
              if (corners.empty())
                in.fail("has the side S" + std::to_string(side + 1) +
                        " of the " + to_string(cell.type) + ' ' +
                        std::to_string(label) + ", which there is not");
              const bool reordered = !is_simplex(cell.type);
              std::vector<long long> nodes;
              for (const int corner : corners)
                nodes.push_back(
                  mesh.labels[cell.vertices[reordered ? order_of_corners[corner]
                                                      : corner]]);
              add_element(mesh, labels, in, face_type(cell.type), label, id,
                          nodes);
            }
        }
    }
  } // namespace


  MeshFile
  read_abaqus(const std::string_view text, const std::string &source)
  {
    return Abaqus(text, source).read();
  }
} // namespace tessera::mesh_files

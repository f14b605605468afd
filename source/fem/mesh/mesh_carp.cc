#include "mesh_scanner.h"

#include <tessera/base/counted.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace tessera::mesh_files
{
  namespace
  {
    const std::array<std::string, 3> suffixes = {{".pts", ".elem", ".lon"}};

    double
    distance(const MeshFile &mesh, const long long a, const long long b)
    {
      double squares = 0;
      for (int d = 0; d < 3; ++d)
        squares += std::pow(mesh.vertices[a][d] - mesh.vertices[b][d], 2);
      return std::sqrt(squares);
    }

    /// Puts the corners of the top of a hexahedron above the corners of the
    /// bottom: files go round the top in either direction.
    void
    order_top(const MeshFile &mesh, std::vector<long long> &corners)
    {
      const auto n = static_cast<long long>(mesh.vertices.size());
      for (const long long corner : corners)
        if (corner < 0 || corner >= n)
          return; // of which add_element complains
      if (distance(mesh, corners[1], corners[7]) +
            distance(mesh, corners[3], corners[5]) <
          distance(mesh, corners[1], corners[5]) +
            distance(mesh, corners[3], corners[7]))
        std::swap(corners[5], corners[7]);
    }

    /// Reads the elements. Returns for each of them whether it became one of
    /// `mesh`, [n].
    std::vector<char>
    read_elements(MeshFile &mesh, const Labels &labels, Scanner &in)
    {
      static const std::map<std::string_view, CellType> shapes = {
        {"Ln", CellType::line},
        {"Tr", CellType::triangle},
        {"Qd", CellType::quadrilateral},
        {"Tt", CellType::tetrahedron},
        {"Hx", CellType::hexahedron}};
      static const std::map<std::string_view, std::pair<int, std::string>>
        others = {{"Py", {5, "pyramid"}},
                  {"Pr", {6, "prism"}},
                  {"Oc", {6, "octahedron"}}};
      std::vector<char> used(in.count("elements", 6));
      for (std::size_t i = 0; i < used.size(); ++i)
        {
          const auto name  = in.word("the type of an element");
          const auto shape = shapes.find(name);
          const auto other = others.find(name);
          if (shape == shapes.end() && other == others.end())
            in.fail(name, "Tt, Hx, Tr, Qd or Ln");
          used[i] = shape != shapes.end();
          std::vector<long long> corners(used[i] ? n_vertices(shape->second)
                                                 : other->second.first);
          for (auto &corner : corners)
            corner = in.integer("a node of an element");
          const long long region =
            in.peek_line().empty() ? 0 : in.integer("the region of an element");
          in.line();
          if (!used[i])
            {
              ++mesh.others[other->second.second];
              continue;
            }
          if (shape->second == CellType::hexahedron)
            order_top(mesh, corners);
          add_element(mesh, labels, in, shape->second,
                      static_cast<long long>(i), region, corners);
        }
      if (!in.at_end())
        in.fail("has more lines than the " + counted(used.size(), "element") +
                " that it announces");
      return used;
    }

    /// Reads the fibres of all elements, of which the `used` ones are in
    /// `mesh`.
    void
    read_fibres(MeshFile &mesh, const std::vector<char> &used, Scanner &in)
    {
      std::istringstream first{std::string(in.peek_line())};
      auto n = std::distance(std::istream_iterator<std::string>(first), {});
      if (n == 1)
        {
          const auto n_directions = in.integer("the number of directions");
          n = n_directions == 1 ? 3 : n_directions == 2 ? 6 : 0;
        }
      if (n != 3 && n != 6)
        in.fail(
          "begins neither with the number of directions, 1 or 2, nor "
          "with 3 or 6 components of the first element");
      in.check_count(static_cast<long long>(used.size()), "fibres", 2 * n - 1);
      for (const char is_used : used)
        {
          std::array<double, 6> components = {};
          for (int c = 0; c < n; ++c)
            components[c] = in.real("a component of a fibre");
          if (is_used != 0)
            mesh.fibres.push_back(components);
        }
      if (!in.at_end())
        in.fail("has more fibres than there are elements");
    }
  } // namespace


  std::string
  carp_content(const std::string &path, const std::string &content)
  {
    const std::filesystem::path given(path);
    const bool packed               = given.extension() == ".gz";
    const std::filesystem::path own = packed ? given.stem() : given.filename();
    std::string result;
    for (const std::string &suffix : suffixes)
      {
        if (suffix != suffixes.front())
          result += '\0';
        auto name = given.parent_path() / own.stem();
        name += suffix + (packed ? ".gz" : "");
        if (own.extension() == suffix)
          result += content;
        else if (suffix != ".lon" || std::filesystem::exists(name))
          result += read_content(name.string());
      }
    return result;
  }


  /// Reads a mesh of openCARP: the number of points and their coordinates; the
  /// number of elements, each with its type, its nodes, which count from 0, and
  /// its region; and the fibres of all elements, on request with a second
  /// direction, of sheets. A line before them has the number of
  /// directions; old files do without.
  MeshFile
  read_carp(const std::string_view text, const std::string &source)
  {
    std::array<std::string_view, 3> parts;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < 3 && begin <= text.size(); ++i)
      {
        const auto end = std::min(text.find('\0', begin), text.size());
        parts[i]       = text.substr(begin, end - begin);
        begin          = end + 1;
      }
    const auto scanner = [&](const int i) {
      return Scanner(parts[i], "part " + suffixes[i] + " of the " + source);
    };
    MeshFile mesh;
    mesh.source = source;

    Scanner points     = scanner(0);
    const auto n_nodes = points.count("points", 5);
    Labels labels(n_nodes);
    for (std::size_t i = 0; i < n_nodes; ++i)
      {
        std::array<double, 3> x;
        for (double &coordinate : x)
          coordinate = points.real("a coordinate");
        add_vertex(mesh, labels, points, static_cast<long long>(i), x);
      }
    if (!points.at_end())
      points.fail("has more lines than the " + counted(n_nodes, "point") +
                  " that it announces");

    Scanner elements = scanner(1);
    const auto used  = read_elements(mesh, labels, elements);

    Scanner fibres = scanner(2);
    if (!fibres.at_end())
      read_fibres(mesh, used, fibres);
    return mesh;
  }
} // namespace tessera::mesh_files

#include "mesh_scanner.h"

#include <algorithm>
#include <set>

namespace tessera::mesh_files
{
  namespace
  {
    /// Data sets of older versions that define nodes (15, 781), elements (71,
    /// 780) and groups (752 to 2432).
    constexpr long long old_sets[] = {15,   71,   752,  780, 781,
                                      2417, 2429, 2430, 2432};

    /// Reads a text in the universal format: data sets 2411 (nodes), 2412
    /// (elements) and the groups 2435, 2452, 2467 and 2477. 2420 must not turn
    /// or move the coordinates of nodes. A note names other data sets.
    class Unv
    {
    public:
      Unv(const std::string_view text, const std::string &source)
        : in(text, source)
      {
        mesh.source = source;
      }

      MeshFile
      read();

    private:
      Scanner in;
      MeshFile mesh;
      Labels labels = Labels(0);
      std::map<long long, std::size_t> places; ///< of elements, by label
      /// Systems of coordinates that are not the common one, and one that a
      /// node has.
      std::set<long long> other_systems;
      std::map<long long, long long> node_of_system;
      std::vector<std::string> not_used;

      /// Reads the end of a data set; returns false if the data set goes on.
      bool
      ends()
      {
        if (in.at_end())
          in.fail("is truncated: a data set is not closed by '-1'");
        const bool end = in.peek_line() == "-1";
        if (end)
          in.line();
        return end;
      }

      void
      read_nodes();
      void
      read_elements();
      void
      read_groups();
      void
      read_systems();
      void
      check_systems() const;

      void
      pass_over(const std::string &what)
      {
        if (std::find(not_used.begin(), not_used.end(), what) == not_used.end())
          not_used.push_back(what);
      }
    };


    MeshFile
    Unv::read()
    {
      while (!in.at_end())
        {
          in.expect("-1");
          const long long set = in.integer("the number of a data set");
          in.line();
          if (set == 2411)
            read_nodes();
          else if (set == 2412)
            read_elements();
          else if (set == 2435 || set == 2452 || set == 2467 || set == 2477)
            read_groups();
          else if (set == 2420)
            read_systems();
          else if (std::count(std::begin(old_sets), std::end(old_sets), set) >
                   0)
            in.fail("has the data set " + std::to_string(set) +
                    " of an older version; legal are nodes in 2411, elements "
                    "in 2412 and groups in 2435, 2452, 2467 and 2477");
          else
            {
              pass_over("data set " + std::to_string(set));
              while (!ends())
                in.line();
            }
        }
      check_systems();
      note_unused(mesh, not_used);
      if (mesh.vertices.empty() || mesh.elements.empty())
        in.fail("has no data set " + std::string(mesh.vertices.empty()
                                                   ? "2411 with nodes"
                                                   : "2412 with cells"));
      return std::move(mesh);
    }


    void
    Unv::read_nodes()
    {
      while (!ends())
        {
          const long long label = in.integer("the number of a node");
          node_of_system[in.integer("the system of coordinates of a node")] =
            label;
          in.line();
          const double x = in.real("a coordinate"), y = in.real("a coordinate");
          add_vertex(mesh, labels, in, label,
                     {{x, y, in.real("a coordinate")}});
          in.line();
        }
    }


    void
    Unv::read_elements()
    {
      static const std::map<long long, CellType> types = {
        {11, CellType::line},          {21, CellType::line},
        {41, CellType::triangle},      {51, CellType::triangle},
        {61, CellType::triangle},      {74, CellType::triangle},
        {81, CellType::triangle},      {91, CellType::triangle},
        {44, CellType::quadrilateral}, {54, CellType::quadrilateral},
        {64, CellType::quadrilateral}, {71, CellType::quadrilateral},
        {84, CellType::quadrilateral}, {94, CellType::quadrilateral},
        {111, CellType::tetrahedron},  {115, CellType::hexahedron}};
      while (!ends())
        {
          const long long label = in.integer("the number of an element");
          const long long kind  = in.integer("the type of an element");
          for (int i = 0; i < 3; ++i)
            in.integer("a property of an element");
          const long long n = in.integer("the number of nodes of an element");
          in.check_count(n, "nodes of an element", 2);
          in.line();
          if (kind == 11 || (kind >= 21 && kind <= 24))
            in.line();
          std::vector<long long> corners(n);
          for (auto &corner : corners)
            corner = in.integer("a node of an element");
          in.line();
          const auto type = types.find(kind);
          if (kind == 112 && n == 6)
            ++mesh.others["prism"];
          else if (type == types.end() || n != n_vertices(type->second))
            in.fail("has the element " + std::to_string(label) + " of type " +
                    std::to_string(kind) + " with " + std::to_string(n) +
                    " nodes; legal are lines, triangles, quadrilaterals, "
                    "tetrahedra and hexahedra of order 1");
          else
            {
              if (!places.emplace(label, mesh.elements.size()).second)
                in.fail("has the element " + std::to_string(label) + " twice");
              add_element(mesh, labels, in, type->second, label, 0, corners);
            }
        }
    }


    void
    Unv::read_groups()
    {
      while (!ends())
        {
          const long long id = in.integer("the number of a group");
          for (int i = 0; i < 6; ++i)
            in.integer("a property of a group");
          const long long n = in.integer("the number of members of a group");
          in.check_count(n, "members of a group", 4);
          in.line();
          const auto name = in.line();
          std::set<int> dimensions;
          std::vector<int> nodes;
          for (long long i = 0; i < n; ++i)
            {
              const long long kind  = in.integer("the type of a member");
              const long long label = in.integer("a member of a group");
              in.integer("a property of a member");
              in.integer("a property of a member");
              if (kind == 7)
                nodes.push_back(labels.find(label));
              if (kind == 7 && nodes.back() < 0)
                in.fail("has no node " + std::to_string(label) +
                        ", which the group '" + printable(name) + "' names");
              if (kind == 7)
                continue;
              if (kind != 8)
                {
                  pass_over("members of groups of the kind " +
                            std::to_string(kind));
                  continue;
                }
              const auto place = places.find(label);
              if (place == places.end())
                in.fail("has no element " + std::to_string(label) +
                        ", which the group '" + printable(name) + "' names");
              add_group(mesh, place->second,
                        check_id(in, id, "group '" + printable(name) + '\''));
              dimensions.insert(dimension(mesh.elements[place->second].type));
            }
          in.line();
          for (const int dimension : dimensions)
            add_name(mesh, in, dimension, name, id);
          std::sort(nodes.begin(), nodes.end());
          if (!nodes.empty())
            mesh.node_sets[std::string(name)] = nodes;
        }
    }


    /// A part has a number and a name, then systems of coordinates, each with
    /// number, type (0: Cartesian) and colour, name, and four lines of three
    /// numbers: the axes and the origin.
    void
    Unv::read_systems()
    {
      in.integer("the number of a part");
      in.line();
      in.line();
      while (!ends())
        {
          const long long label = in.integer("the number of a system");
          const long long type  = in.integer("the type of a system");
          in.line();
          in.line();
          bool is_common = type == 0;
          for (int row = 0; row < 4; ++row)
            for (int d = 0; d < 3; ++d)
              is_common &= in.real("an axis or an origin") == (row == d);
          in.line();
          if (!is_common)
            other_systems.insert(label);
        }
    }


    void
    Unv::check_systems() const
    {
      for (const auto &[system, node] : node_of_system)
        if (other_systems.count(system) > 0 || system < 0)
          in.fail("has the node " + std::to_string(node) +
                  " in the system of coordinates " + std::to_string(system) +
                  ", which is not the common Cartesian one");
    }
  } // namespace


  MeshFile
  read_unv(const std::string_view text, const std::string &source)
  {
    return Unv(text, source).read();
  }
} // namespace tessera::mesh_files

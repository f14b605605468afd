#include "gmsh_entities.h"

#include <tessera/base/counted.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace tessera::mesh_files
{
  namespace
  {
    /// An element type of gmsh. Its corners come first.
    struct Shape
    {
      const char *name;
      int n_nodes;      ///< at corners
      int type;         ///< CellType, -1 (only counted) or -2 (skipped)
      int n_middle = 0; ///< further nodes, on edges, faces and inside
    };

    const Shape &
    shape_of(const int type, const Scanner &in)
    {
      constexpr auto number = [](const CellType cell) {
        return static_cast<int>(cell);
      };
      static const std::map<int, Shape> shapes = {
        {1, {"line", 2, number(CellType::line)}},
        {2, {"triangle", 3, number(CellType::triangle)}},
        {3, {"quadrilateral", 4, number(CellType::quadrilateral)}},
        {4, {"tetrahedron", 4, number(CellType::tetrahedron)}},
        {5, {"hexahedron", 8, number(CellType::hexahedron)}},
        {6, {"prism", 6, -1}},
        {7, {"pyramid", 5, -1}},
        {8, {"line", 2, number(CellType::line), 1}},
        {9, {"triangle", 3, number(CellType::triangle), 3}},
        {10, {"quadrilateral", 4, number(CellType::quadrilateral), 5}},
        {11, {"tetrahedron", 4, number(CellType::tetrahedron), 6}},
        {12, {"hexahedron", 8, number(CellType::hexahedron), 19}},
        {15, {"point", 1, -2}},
        {16, {"quadrilateral", 4, number(CellType::quadrilateral), 4}},
        {17, {"hexahedron", 8, number(CellType::hexahedron), 12}}};
      const auto shape = shapes.find(type);
      if (shape == shapes.end())
        in.fail(
          "has elements of gmsh's type " + std::to_string(type) +
          (type > 8 && type <= 140
             ? ", of higher order; legal are cells of order 1 and 2, which "
               "gmsh makes with 'Mesh.ElementOrder = 1;' in the .geo file"
             : ", which there is not"));
      return shape->second;
    }


    /// Reads formats 2 to 2.2, 4.0 and 4.1 of gmsh.
    class Gmsh : GmshNumbers
    {
    public:
      Gmsh(const std::string_view text, const std::string &source)
        : GmshNumbers(text, source)
      {
        mesh.source = source;
      }

      MeshFile
      read();

    private:
      MeshFile mesh;
      Labels labels = Labels(0);
      bool nodes    = false;
      bool elements = false;
      GmshEntities entities;
      std::vector<std::string> not_used; ///< sections
      /// Nodes of the element that is read.
      std::vector<long long> corners, middle;

      /// Reads the dimension and the tag of an entity with nodes or elements.
      GmshEntities::Key
      entity();

      void
      read_format();
      void
      read_names();
      void
      read_nodes_2();
      void
      read_nodes_4();
      void
      read_elements_2();
      void
      read_elements_4();
      void
      read_element(int type, long long label, long long id, bool long_labels);
      void
      join_copies();

      /// Adds the point that was read to a group.
      void
      add_point(const int id)
      {
        if (const int node = labels.find(corners[0]); node >= 0)
          mesh.points[id].push_back(node);
      }
    };


    MeshFile
    Gmsh::read()
    {
      bool format = false;
      while (!in.at_end())
        {
          const std::string section(in.line());
          if (!format && section != "$MeshFormat")
            in.fail(
              "is not in gmsh's format of version 2.2, 4.0 or 4.1: it does "
              "not begin with '$MeshFormat'");
          if (section.empty() || section[0] != '$')
            in.fail(section, "a section");
          const std::string name = section.substr(1), end = "$End" + name;
          const std::size_t end_place = in.find(end);
          if (end_place == std::string::npos)
            in.fail("is truncated: '" + printable(end) + "' is missing");
          if (name == "MeshFormat")
            read_format(), format = true;
          else if (name == "PhysicalNames")
            read_names();
          else if (name == "Entities" || name == "PartitionedEntities")
            entities.read(*this, name == "PartitionedEntities");
          else if (name == "Nodes" && !nodes)
            is_4 ? read_nodes_4() : read_nodes_2(), nodes = true;
          else if (name == "Elements" && nodes && !elements)
            is_4 ? read_elements_4() : read_elements_2(), elements = true;
          else if (name == "Nodes" || name == "Elements")
            in.fail("has the section '" + section +
                    "' twice or before '$Nodes'");
          else
            {
              in.move_to(end_place);
              // gmsh writes the second one for surfaces of triangles.
              if (name != "Comments" && name != "Parametrizations")
                not_used.push_back(section);
            }
          in.expect(end);
        }
      if (!format)
        in.fail("is empty");
      if (!nodes || !elements)
        in.fail("is truncated: it has no section '$" +
                std::string(nodes ? "Elements" : "Nodes") + "'");
      entities.check_complete(in);
      note_unused(mesh, not_used);
      return std::move(mesh);
    }


    void
    Gmsh::read_format()
    {
      const std::string version(in.word("a version"));
      if (version != "2" && version != "2.1" && version != "2.2" &&
          version != "4" && version != "4.0" && version != "4.1")
        in.fail("has version '" + printable(version) +
                "' of gmsh's format; legal are 2 to 2.2, 4.0 and 4.1");
      is_40                = version == "4" || version == "4.0";
      is_4                 = is_40 || version == "4.1";
      const long long kind = in.integer("0 for text or 1 for binary");
      const long long size = in.integer("the size of a number");
      if (kind < 0 || kind > 1 || size != 8)
        in.fail("has a format line that is neither '" + version +
                " 0 8' nor '" + version + " 1 8'");
      in.line();
      binary = kind == 1;
      if (binary && is_40)
        in.fail(
          "is a binary file of gmsh's version 4.0, of which text alone "
          "is read; the gmsh that wrote it converts it by 'gmsh "
          "NAME.msh -save -format msh2 -o new.msh'");
      if (binary && in.binary<std::int32_t>(false) != 1)
        swap = true;
    }


    void
    Gmsh::read_names()
    {
      const auto n = in.count("names", 6);
      for (std::size_t i = 0; i < n; ++i)
        {
          const long long dimension = in.integer("the dimension of a name");
          const long long id        = in.integer("the id of a name");
          const auto text           = in.line();
          if (text.size() < 2 || text.front() != '"' || text.back() != '"' ||
              dimension < 0 || dimension > 3)
            in.fail(text, "a name in quotes and its dimension");
          add_name(mesh, in, static_cast<int>(dimension),
                   text.substr(1, text.size() - 2), id);
        }
    }


    GmshEntities::Key
    Gmsh::entity()
    {
      long long dimension = integer("the dimension or tag of an entity"),
                tag       = integer("the tag or dimension of an entity");
      if (is_40)
        std::swap(dimension, tag);
      if (dimension < 0 || dimension > 3)
        in.fail("has a damaged block of nodes or elements");
      return {static_cast<int>(dimension), tag};
    }


    void
    Gmsh::read_nodes_2()
    {
      const auto n = in.count("nodes", binary ? 28 : 8);
      in.line();
      labels = Labels(n);
      for (std::size_t i = 0; i < n; ++i)
        {
          const long long label = integer("the number of a node");
          add_vertex(mesh, labels, in, label, point());
        }
    }


    void
    Gmsh::read_nodes_4()
    {
      const long long n_blocks = count("blocks of nodes", 20);
      const long long n        = count("nodes", 32);
      for (int i = is_40 ? 2 : 0; i < 2; ++i)
        size("the smallest or the largest tag");
      labels = Labels(n);
      for (long long block = 0; block < n_blocks; ++block)
        {
          const int dimension        = entity().first;
          const long long parametric = integer("0 or 1");
          if (parametric < 0 || parametric > 1)
            in.fail("has a damaged block of nodes");
          const auto label = [this]() { return size("the number of a node"); };
          std::vector<long long> block_labels(count("nodes", 32));
          for (auto &each : block_labels)
            each = is_40 ? 0 : label(); // version 4.0 has each at its node
          for (const auto each : block_labels)
            {
              const long long number = is_40 ? label() : each;
              add_vertex(mesh, labels, in, number, point());
              for (int d = 0; d < (parametric ? dimension : 0); ++d)
                real("a parametric coordinate");
            }
        }
      if (static_cast<long long>(mesh.vertices.size()) != n)
        in.fail("announces " + counted(n, "node") + " and has " +
                std::to_string(mesh.vertices.size()));
    }


    void
    Gmsh::read_element(const int type, const long long label,
                       const long long id, const bool long_labels)
    {
      const Shape &shape = shape_of(type, in);
      for (auto *const list : {&corners, &middle})
        {
          list->resize(list == &corners ? shape.n_nodes : shape.n_middle);
          for (auto &node : *list)
            node = long_labels ? size("a node of an element")
                               : integer("a node of an element");
        }
      if (shape.n_nodes == 1 && id != 0)
        add_point(static_cast<int>(id));
      if (shape.type == -1)
        ++mesh.others[shape.name];
      else if (shape.type >= 0)
        add_element(mesh, labels, in, static_cast<CellType>(shape.type), label,
                    id, corners);
      if (shape.type >= 0 && !middle.empty())
        add_middle_nodes(mesh, labels, in, middle,
                         shape.type == static_cast<int>(CellType::tetrahedron)
                           ? gmsh_tetrahedron
                         : shape.type == static_cast<int>(CellType::hexahedron)
                           ? gmsh_hexahedron
                           : std::vector<int>());
    }


    /// Version 2.2 repeats an element that is in several groups, once for each;
    /// the copies follow one another.
    void
    Gmsh::join_copies()
    {
      const std::size_t n = mesh.elements.size();
      if (n < 2)
        return;
      const auto &one = mesh.elements[n - 2], &copy = mesh.elements[n - 1];
      if (one.type != copy.type || one.vertices != copy.vertices ||
          (one.id == copy.id && mesh.further_groups.count(n - 2) == 0))
        return;
      add_group(mesh, n - 2, copy.id);
      mesh.elements.pop_back();
    }


    void
    Gmsh::read_elements_2()
    {
      const long long n = in.count("elements", binary ? 8 : 6);
      in.line();
      long long left_in_block = 0, type = 0, n_tags = 0;
      for (long long i = 0; i < n; ++i)
        {
          if (binary && left_in_block == 0)
            {
              type          = integer("");
              left_in_block = integer("");
              n_tags        = integer("");
              if (left_in_block < 1 || left_in_block > n - i)
                in.fail("has a damaged block of elements");
            }
          const long long label = integer("the number of an element");
          if (!binary)
            {
              type   = integer("the type of an element");
              n_tags = integer("the number of tags");
            }
          --left_in_block;
          in.check_count(n_tags, "tags", binary ? 4 : 2);
          long long id = 0;
          for (long long k = 0; k < n_tags; ++k)
            {
              const long long tag = integer("a tag");
              if (k == 0)
                id = std::llabs(tag);
            }
          read_element(static_cast<int>(type), label, id, false);
          join_copies();
        }
    }


    void
    Gmsh::read_elements_4()
    {
      const long long n_blocks = count("blocks of elements", 20);
      const long long n        = count("elements", 16);
      for (int i = is_40 ? 2 : 0; i < 2; ++i)
        size("the smallest or the largest tag");
      long long found = 0;
      for (long long block = 0; block < n_blocks; ++block)
        {
          const auto of           = entity();
          const long long type    = integer("the type of elements");
          const long long n_block = count("elements", 16);
          const auto &groups      = entities.groups(of);
          for (long long i = 0; i < n_block; ++i, ++found)
            {
              const long long number  = size("the number of an element");
              const std::size_t place = mesh.elements.size();
              read_element(static_cast<int>(type), number,
                           groups.empty() ? 0 : groups[0], true);
              for (std::size_t k = 1; type == 15 && k < groups.size(); ++k)
                add_point(groups[k]);
              if (place < mesh.elements.size())
                for (const int further : groups)
                  add_group(mesh, place, further);
            }
        }
      if (found != n)
        in.fail("announces " + counted(n, "element") + " and has " +
                std::to_string(found));
    }
  } // namespace


  MeshFile
  read_gmsh(const std::string_view text, const std::string &source)
  {
    return Gmsh(text, source).read();
  }
} // namespace tessera::mesh_files

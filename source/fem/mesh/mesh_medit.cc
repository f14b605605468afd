#include "mesh_scanner.h"

#include <cctype>

namespace tessera::mesh_files
{
  namespace
  {
    /// Elements of a section of Medit's format.
    struct Section
    {
      const char *name;
      int type; ///< CellType, or -1 for elements that are only counted
      int n_corners;
      int n_middle = 0; ///< nodes of cells of order 2 behind the corners
    };

    /// Returns the text with blanks instead of all that follows a #.
    std::string
    strip_comments(const std::string_view text)
    {
      std::string result(text);
      for (auto begin = result.find('#'); begin != std::string::npos;
           begin      = result.find('#', begin))
        for (; begin < result.size() && result[begin] != '\n'; ++begin)
          result[begin] = ' ';
      return result;
    }

    /// Returns true if a word follows, which names a section.
    bool
    begins_with_letter(const Scanner &in)
    {
      return std::isalpha(static_cast<unsigned char>(in.peek_line()[0]));
    }

    const Section *
    find_section(const std::string_view name)
    {
      constexpr auto number = [](const CellType cell) {
        return static_cast<int>(cell);
      };
      static const std::vector<Section> sections = {
        {"Edges", number(CellType::line), 2},
        {"Triangles", number(CellType::triangle), 3},
        {"Quadrilaterals", number(CellType::quadrilateral), 4},
        {"Tetrahedra", number(CellType::tetrahedron), 4},
        {"Hexahedra", number(CellType::hexahedron), 8},
        {"Prisms", -1, 6},
        {"Pyramids", -1, 5},
        {"EdgesP2", number(CellType::line), 2, 1},
        {"TrianglesP2", number(CellType::triangle), 3, 3},
        {"QuadrilateralsQ2", number(CellType::quadrilateral), 4, 5},
        {"TetrahedraP2", number(CellType::tetrahedron), 4, 6},
        {"HexahedraQ2", number(CellType::hexahedron), 8, 19}};
      for (const Section &section : sections)
        if (name == section.name)
          return &section;
      return nullptr;
    }

    /// Returns true if a section that `find_section` does not know has elements
    /// of some order, such as PrismsP2 and TrianglesP3.
    bool
    has_other_elements(const std::string_view name)
    {
      for (const std::string_view shape :
           {"Edges", "Triangles", "Quadrilaterals", "Tetrahedra", "Hexahedra",
            "Prisms", "Pyramids"})
        if (name.substr(0, shape.size()) == shape)
          {
            const std::string_view order = name.substr(shape.size());
            return order.size() > 1 && (order[0] == 'P' || order[0] == 'Q') &&
                   order.find_first_not_of("0123456789", 1) == order.npos;
          }
      return false;
    }
  } // namespace


  /// Reads Medit's text format. References of elements are ids, references
  /// of vertices are not used, and a note names sections with other things.
  MeshFile
  read_medit(const std::string_view text, const std::string &source)
  {
    const std::string without_comments = strip_comments(text);
    Scanner in(without_comments, source);
    MeshFile mesh;
    mesh.source = source;
    Labels labels(0);
    const auto word = in.word("a keyword");
    if (word != "MeshVersionFormatted")
      in.fail(word, "'MeshVersionFormatted'");
    in.integer("a version");
    in.expect("Dimension");
    const long long dim = in.integer("2 or 3");
    if (dim != 2 && dim != 3)
      in.fail("has dimension " + std::to_string(dim) + "; legal are 2 and 3");
    bool ended = false;
    std::vector<std::string> not_used; // sections
    while (!ended && !in.at_end())
      {
        const std::string_view name = in.word("a section");
        if (name == "End")
          ended = true;
        else if (name == "Vertices")
          {
            if (!mesh.vertices.empty())
              in.fail("has the section 'Vertices' twice");
            const auto n = in.count("vertices", 2 * dim + 1);
            labels       = Labels(n);
            for (std::size_t i = 1; i <= n; ++i)
              {
                std::array<double, 3> point{};
                for (int d = 0; d < dim; ++d)
                  point[d] = in.real("a coordinate");
                in.integer("the reference of a vertex");
                add_vertex(mesh, labels, in, static_cast<long long>(i), point);
              }
          }
        else if (const Section *const section = find_section(name))
          {
            const int n_nodes = section->n_corners + section->n_middle;
            const auto n      = in.count("elements", 2 * n_nodes + 1);
            std::vector<long long> corners(section->n_corners),
              middle(section->n_middle);
            for (std::size_t i = 1; i <= n; ++i)
              {
                for (auto *const list : {&corners, &middle})
                  for (auto &node : *list)
                    node = in.integer("a vertex of an element");
                const long long id = in.integer("the reference of an element");
                if (section->type < 0)
                  {
                    ++mesh
                        .others[section->n_corners == 6 ? "prism" : "pyramid"];
                    continue;
                  }
                add_element(mesh, labels, in,
                            static_cast<CellType>(section->type),
                            static_cast<long long>(i), id, corners);
                if (!middle.empty() && middle.size() < 19)
                  add_middle_nodes(mesh, labels, in, middle);
              }
            if (section->n_middle == 19 && n > 0)
              mesh.notes.push_back(
                "the nodes of the " + source +
                " on edges and faces of HexahedraQ2 are left out, since "
                "programs differ about their order: these cells are straight.");
          }
        else if (has_other_elements(name))
          in.fail("has elements of the section '" + std::string(name) +
                  "'; legal are lines, triangles, quadrilaterals, tetrahedra "
                  "and hexahedra of order 1 and 2");
        else // numbers up to the next keyword
          {
            not_used.emplace_back(name);
            while (!in.at_end() && !begins_with_letter(in))
              in.line();
          }
      }
    if (!ended)
      in.fail(
        "may be truncated: 'End' is missing behind its last section; the "
        "line 'End' makes a file that is whole complete");
    note_unused(mesh, not_used);
    return mesh;
  }


  /// Reads MFEM's meshes of version 1, except meshes with curved cells.
  /// Attributes are ids; sets of attributes are not used.
  MeshFile
  read_mfem(const std::string_view text, const std::string &source)
  {
    static const std::vector<std::pair<int, int>> shapes = {
      // The cell, or -1, and the number of corners, by MFEM's number of the
      // shape.
      {-1, 1},
      {static_cast<int>(CellType::line), 2},
      {static_cast<int>(CellType::triangle), 3},
      {static_cast<int>(CellType::quadrilateral), 4},
      {static_cast<int>(CellType::tetrahedron), 4},
      {static_cast<int>(CellType::hexahedron), 8},
      {-1, 6},
      {-1, 5}};
    struct Element
    {
      CellType type;
      long long label, id;
      std::vector<long long> corners;
    };
    const std::string without_comments = strip_comments(text);
    Scanner in(without_comments, source);
    const std::string first(in.line());
    if (first.substr(0, 11) != "MFEM mesh v" || first.substr(11, 2) != "1.")
      in.fail("begins with '" + printable(first) +
              "'; legal are MFEM's meshes 'MFEM mesh v1.0' to v1.3");
    MeshFile mesh;
    mesh.source = source;
    in.expect("dimension");
    const long long dim = in.integer("2 or 3");
    if (dim != 2 && dim != 3)
      in.fail("has dimension " + std::to_string(dim) + "; legal are 2 and 3");
    std::vector<Element> elements; // they may come before their vertices
    Labels labels(0);
    bool vertices = false;
    while (!in.at_end())
      {
        const std::string name(in.word("a section"));
        if (name == "elements" || name == "boundary")
          {
            const auto n = in.count("elements", 5);
            for (std::size_t i = 0; i < n; ++i)
              {
                const long long id = in.integer("the attribute of an element");
                const long long shape = in.integer("the shape of an element");
                if (shape < 0 || shape >= static_cast<int>(shapes.size()))
                  in.fail("has the shape " + std::to_string(shape) +
                          "; legal are 0 to 7");
                const auto [type, n_corners] = shapes[shape];
                Element element{static_cast<CellType>(type),
                                static_cast<long long>(i), id,
                                std::vector<long long>(n_corners)};
                for (auto &corner : element.corners)
                  corner = in.integer("a vertex of an element");
                if (type >= 0)
                  elements.push_back(std::move(element));
                else if (shape > 0)
                  ++mesh.others[shape == 6 ? "prism" : "pyramid"];
              }
          }
        else if (name == "vertices")
          {
            if (vertices)
              in.fail("has the section 'vertices' twice");
            vertices     = true;
            const auto n = in.count("vertices", 4);
            if (in.at_end() || begins_with_letter(in))
              in.fail(
                "has curved cells, with a section 'nodes'; legal are "
                "straight ones, with coordinates in 'vertices'");
            const long long n_coordinates =
              in.integer("the number of coordinates");
            if (n_coordinates < dim || n_coordinates > 3)
              in.fail("has " + std::to_string(n_coordinates) +
                      " coordinates a vertex in dimension " +
                      std::to_string(dim));
            labels = Labels(n);
            for (std::size_t i = 0; i < n; ++i)
              {
                std::array<double, 3> point{};
                for (int d = 0; d < n_coordinates; ++d)
                  point[d] = in.real("a coordinate");
                add_vertex(mesh, labels, in, static_cast<long long>(i), point);
              }
          }
        else if (name == "attribute_sets" || name == "bdr_attribute_sets")
          {
            note_unused(mesh, {name});
            while (!in.at_end() && !begins_with_letter(in))
              in.line();
          }
        else if (name != "mfem_mesh_end")
          in.fail(name, "elements, boundary or vertices");
      }
    if (!vertices)
      in.fail("is truncated: it has no section 'vertices'");
    for (const Element &element : elements)
      add_element(mesh, labels, in, element.type, element.label, element.id,
                  element.corners);
    return mesh;
  }
} // namespace tessera::mesh_files

#include "mesh_scanner.h"

namespace tessera::mesh_files
{
  /// Reads AVS's format as text: comments, the numbers of nodes, cells and
  /// data, nodes, and cells with id and shape. Data behind the cells are not
  /// read.
  MeshFile
  read_ucd(const std::string_view text, const std::string &source)
  {
    static const std::map<std::string_view, CellType> shapes = {
      {"line", CellType::line},
      {"tri", CellType::triangle},
      {"quad", CellType::quadrilateral},
      {"tet", CellType::tetrahedron},
      {"hex", CellType::hexahedron}};
    static const std::map<std::string_view, int> others = {
      {"pt", 1}, {"pyr", 5}, {"prism", 6}};
    Scanner in(text, source);
    MeshFile mesh;
    mesh.source = source;
    while (!in.at_end() && in.peek_line()[0] == '#')
      in.line();
    const auto n_nodes = in.count("nodes", 8);
    const auto n_cells = in.count("cells", 8);
    const bool has_data =
      in.line().find_first_of("123456789") != std::string_view::npos;
    Labels labels(n_nodes);
    for (std::size_t i = 0; i < n_nodes; ++i)
      {
        const long long label = in.integer("the number of a node");
        const double x = in.real("a coordinate"), y = in.real("a coordinate");
        add_vertex(mesh, labels, in, label, {{x, y, in.real("a coordinate")}});
      }
    for (std::size_t i = 0; i < n_cells; ++i)
      {
        const long long label = in.integer("the number of a cell");
        const long long id    = in.integer("the material of a cell");
        const auto name       = in.word("the shape of a cell");
        const auto shape      = shapes.find(name);
        const auto other      = others.find(name);
        if (shape == shapes.end() && other == others.end())
          in.fail(name, "line, tri, quad, tet or hex");
        std::vector<long long> corners(
          shape == shapes.end() ? other->second : n_vertices(shape->second));
        for (auto &corner : corners)
          corner = in.integer("a node of a cell");
        if (shape != shapes.end())
          add_element(mesh, labels, in, shape->second, label, id, corners);
        else if (name != "pt")
          ++mesh.others[name == "pyr" ? "pyramid" : "prism"];
      }
    if (has_data)
      note_unused(mesh, {"data of nodes or cells"});
    else if (!in.at_end())
      in.fail(in.peek_line(), "the end of the file");
    return mesh;
  }
} // namespace tessera::mesh_files

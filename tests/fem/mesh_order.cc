#include "mesh_cases.h"

#include <regex>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  /// Every format that has cells of order 2 says what their nodes between
  /// corners lose.
  TEST(MeshOrder, NodesBetweenCorners)
  {
    const auto sentence = [](const std::string &format, const bool curved) {
      std::vector<std::string> points = {"0 0 0",   "1 0 0",     "0 1 0",
                                         "0.5 0 0", "0.5 0.5 0", "0 0.5 0"};
      if (curved)
        points[3] = "0.5 -0.1 0";
      std::string nodes, labelled, list;
      for (std::size_t i = 0; i < points.size(); ++i)
        {
          const std::string number = std::to_string(i + 1);
          nodes += points[i] + (format == "medit" ? " 0\n" : "\n");
          labelled += number + ' ' + points[i] + '\n';
          list += number + ", " +
                  std::regex_replace(points[i], std::regex(" "), ", ") + '\n';
        }
      const std::string text =
        format == "msh"
          ? "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n" + labelled +
              "$EndNodes\n$Elements\n1\n1 9 2 0 1 1 2 3 4 5 6\n$EndElements\n"
        : format == "vtk"
          ? "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
            "POINTS 6 double\n" +
              nodes + "CELLS 1 7\n6 0 1 2 3 4 5\nCELL_TYPES 1\n22\n"
        : format == "inp"
          ? "*NODE\n" + list + "*ELEMENT, TYPE=CPS6\n1, 1, 2, 3, 4, 5, 6\n"
          : "MeshVersionFormatted 2\nDimension 3\nVertices\n6\n" + nodes +
              "TrianglesP2\n1\n1 2 3 4 5 6 1\nEnd\n";
      const MeshFile file = parse_mesh(text, format, "file");
      Mesh<2> mesh;
      build_mesh(mesh, file);
      EXPECT_EQ(mesh.triangulation().n_vertices(), 3u);
      return note_on_order(file);
    };
    for (const std::string format : {"msh", "vtk", "inp", "medit"})
      {
        SCOPED_TRACE(format);
        expect_contains(sentence(format, false), "which loses nothing");
        expect_contains(sentence(format, true),
                        "1 of 1 cell is curved, with nodes up to 10 % of an "
                        "edge from its middle.");
      }
  }
} // namespace

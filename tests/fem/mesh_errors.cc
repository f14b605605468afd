#include "bytes.h"
#include "mesh_cases.h"

#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  /// Returns the error of a mesh file with this content.
  std::string
  file_error(const std::string &content, const std::string &suffix = ".msh",
             const std::string &entry = "", const std::string &value = "")
  {
    const TemporaryFile file(suffix, content);
    auto parameters = file_parameters(file.path);
    if (!entry.empty())
      parameters.set(entry, value);
    return mesh_error(parameters);
  }

  /// Returns a file of format 2.2 with these nodes ("x y z" each) and elements
  /// (without their numbers).
  std::string
  gmsh(const std::vector<std::string> &nodes,
       const std::vector<std::string> &elements)
  {
    std::ostringstream text;
    text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
         << nodes.size() << '\n';
    for (std::size_t i = 0; i < nodes.size(); ++i)
      text << i + 1 << ' ' << nodes[i] << '\n';
    text << "$EndNodes\n$Elements\n" << elements.size() << '\n';
    for (std::size_t i = 0; i < elements.size(); ++i)
      text << i + 1 << ' ' << elements[i] << '\n';
    text << "$EndElements\n";
    return text.str();
  }

  const std::vector<std::string> square = {"0 0 0", "1 0 0", "1 1 0", "0 1 0"};
  const std::string quad                = "3 2 0 1 1 2 3 4";

  std::string
  replace(std::string text, const std::string &from, const std::string &to)
  {
    const auto place = text.find(from);
    EXPECT_NE(place, std::string::npos);
    return text.replace(place, from.size(), to);
  }


  TEST(MeshErrors, FilesThatAreNone)
  {
    expect_contains(mesh_error(file_parameters("missing.msh")),
                    "3 Cannot read the mesh file 'missing.msh' of 'Mesh/File': "
                    "it does not exist.");
    expect_contains(mesh_error(file_parameters("")),
                    "2 'Mesh/File' is empty; 'Mesh/Type' = file needs its "
                    "name.");
    auto unread = file_parameters("missing.msh");
    unread.set("Mesh/Type", "generate");
    expect_contains(mesh_error(unread),
                    "2 'Mesh/File' = missing.msh is not read by 'Mesh/Type' = "
                    "generate; set it to auto or file, or leave");
    expect_contains(mesh_error(file_parameters(meshes)), "it is a folder.");
    for (const auto &format : mesh_formats())
      {
        if (format == "carp") // which has several files: mesh_fibres.cc
          continue;
        const std::string suffix =
          format == "medit" || format == "mfem" ? ".mesh" : "." + format;
        expect_contains(file_error("", suffix), "is empty.");
        expect_contains(file_error(" \r\n\n", suffix), "is empty.");
        EXPECT_EQ(file_error("not a mesh", suffix).substr(0, 15),
                  "3 The mesh file");
      }
    expect_contains(
      file_error("x", ".stl"),
      "is none of msh, inp, ucd, vtk, vtu, unv or mesh, with or without "
      ".gz, nor .pts or .elem of openCARP, nor a body's (.geo, .step, "
      ".stl); 'Mesh/Format' can say what it is.");
    expect_contains(file_error("x", ""), "is none of msh");
    EXPECT_EQ(file_error(gmsh(square, {quad}), ".txt", "Mesh/Format", "msh"),
              "");
  }


  TEST(MeshErrors, FormatsOfGmsh)
  {
    const std::string good = gmsh(square, {quad});
    EXPECT_EQ(file_error(good), "");
    expect_contains(file_error("not a mesh"), "is not in gmsh's format");
    expect_contains(
      file_error(replace(good, "2.2 0 8", "3 0 8")),
      "has version '3' of gmsh's format; legal are 2 to 2.2, 4.0 and 4.1.");
    EXPECT_EQ(file_error(replace(good, "2.2 0 8", "2 0 8")), "");
    EXPECT_EQ(file_error(replace(good, "2.2 0 8", "2.1 0 8")), "");
    expect_contains(file_error(replace(good, "2.2 0 8", "2.2 0 4")),
                    "has a format line that is neither");
    expect_contains(file_error(replace(good, "$Nodes\n4", "$Nodes\n-4")),
                    "-4 nodes are announced and do not follow");
    expect_contains(
      file_error(replace(good, "$Nodes\n4", "$Nodes\n99999999999999999999")),
      "where the number of nodes is expected in line 5");
    expect_contains(
      file_error(replace(good, "$Nodes\n4", "$Nodes\n2000000000")),
      "2000000000 nodes are announced and do not follow");
    expect_contains(file_error(replace(good, "$Nodes\n4", "$Nodes\n5")),
                    "has '$EndNodes' where the number of a node is expected in "
                    "line 10");
    expect_contains(file_error(replace(good, "$Nodes\n4", "$Nodes\n3")),
                    "has '4' where '$EndNodes' is expected in line 9");
    expect_contains(file_error(replace(good, "$EndElements", "")),
                    "is truncated: '$EndElements' is missing");
    expect_contains(file_error(replace(good, "4 0 1 0", "3 0 1 0")),
                    "has the node 3 twice");
    for (const std::string number : {"nan", "inf", "1e999", "x", "0x10"})
      expect_contains(
        file_error(replace(good, "4 0 1 0", "4 0 " + number + " 0")),
        "has '" + number +
          "' where a coordinate is expected in "
          "line 9");
    expect_contains(file_error(replace(good, "1 2 3 4\n", "1 2 3 9\n")),
                    "has no node 9, which the quadrilateral 1 names");
    expect_contains(
      file_error(replace(good, "1 3 2 0 1", "1 3 2 2147483647 1")),
      "has the id 2147483647 at the quadrilateral 1; legal are 0 "
      "to 2147483646");
    expect_contains(
      file_error(gmsh(square, {"36 2 0 1 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4"})),
      "of gmsh's type 36, of higher order");
    expect_contains(file_error(gmsh(square, {"16 2 0 1 1 2 3 4 1 2 3 4"})),
                    "lies between its corners and is a corner of a cell");
    expect_contains(file_error(gmsh(square, {"999 2 0 1 1"})),
                    "of gmsh's type 999, which there is not");
    expect_contains(file_error(gmsh(square, {})), "has no cells");
    expect_contains(file_error(gmsh(square, {"15 2 0 1 1"})), "has no cells");
  }


  TEST(MeshErrors, EveryTruncatedFileIsRefused)
  {
    std::size_t n = 0;
    for (const auto &entry : std::filesystem::directory_iterator(meshes))
      if (const auto of = entry.path().extension();
          of != ".geo" && of != ".step" && of != ".pts" && of != ".elem" &&
          of != ".lon")
        {
          ++n;
          SCOPED_TRACE(entry.path().string());
          const std::string content = load_bytes(entry.path().string());
          const std::string suffix  = entry.path().extension().string();
          EXPECT_EQ(file_error(content, suffix), "");
          for (const double part : {0.1, 0.3, 0.5})
            {
              const std::string error = file_error(
                content.substr(0,
                               static_cast<std::size_t>(part * content.size())),
                suffix);
              EXPECT_EQ(error.substr(0, 15), "3 The mesh file");
              EXPECT_EQ(error.back(), '.') << error;
              EXPECT_EQ(error.find('\n'), std::string::npos) << error;
            }
        }
    EXPECT_GE(n, 48u);
  }


  TEST(MeshErrors, CellsThatAreNone)
  {
    auto nodes = square;
    nodes[2]   = "0.2 0.2 0";
    expect_contains(file_error(gmsh(nodes, {quad})),
                    "has an inverted or degenerate cell around (0.3, 0.3): the "
                    "quadrilateral 1.");
    nodes[2] = "1 0 0";
    expect_contains(file_error(gmsh(nodes, {quad})), "degenerate cell around");
    expect_contains(file_error(gmsh(square, {"3 2 0 1 1 2 2 4"})),
                    "degenerate cell around");
    expect_contains(file_error(gmsh(square, {"3 2 0 1 1 3 2 4"})),
                    "degenerate cell around (0.5, 0.5)");
    expect_contains(file_error(gmsh(square, {"2 2 0 1 1 2 1"})),
                    ": the triangle 1.");
    // The opposite orientation is legal.
    EXPECT_EQ(file_error(gmsh(square, {"3 2 0 1 4 3 2 1"})), "");
    EXPECT_EQ(file_error(gmsh(square, {"2 2 0 1 2 1 3"})), "");
    nodes = square;
    nodes.push_back("0 0 1");
    EXPECT_EQ(file_error(gmsh(nodes, {"4 2 0 1 1 2 4 5"})), "");
    EXPECT_EQ(file_error(gmsh(nodes, {"4 2 0 1 2 1 4 5"})), "");
    expect_contains(file_error(gmsh(nodes, {"4 2 0 1 1 2 3 4"})),
                    ": the tetrahedron 1.");
    for (const char *corner : {"1 0 1", "1 1 1", "0 1 1"})
      nodes.push_back(corner);
    EXPECT_EQ(file_error(gmsh(nodes, {"5 2 0 1 1 2 3 4 5 6 7 8"})), "");
    EXPECT_EQ(file_error(gmsh(nodes, {"5 2 0 1 5 6 7 8 1 2 3 4"})), "");
    expect_contains(file_error(gmsh(nodes, {"5 2 0 1 1 2 3 4 5 6 8 7"})),
                    ": the hexahedron 1.");
  }


  TEST(MeshErrors, CellsThatDoNotFitTogether)
  {
    auto nodes = square;
    nodes.insert(nodes.end(), {"2 0 0", "2 1 0"});
    const std::string triangle = "2 2 0 1 2 5 3", other = "2 2 0 1 5 6 3";
    expect_contains(file_error(gmsh(nodes, {quad, triangle, other})),
                    "has 1 quadrilateral and 2 triangles; legal are meshes of "
                    "one type of cells, as gmsh makes them by dividing all: "
                    "echo 'Merge \"");
    expect_contains(file_error(gmsh(nodes, {quad, "3 2 0 1 2 3 4 1"})),
                    "has one cell twice: the quadrilateral 1 and the "
                    "quadrilateral 2 around (0.5, 0.5).");
    expect_contains(file_error(gmsh(nodes, {"2 2 0 1 1 2 3", "2 2 0 1 2 5 3",
                                            "2 2 0 1 2 6 3"})),
                    "has a face with more than two cells");
    // Node 5 is in the middle of an edge.
    expect_contains(
      file_error(gmsh({"0 0 0", "1 0 0", "1 1 0", "0 1 0", "1 .5 0", "2 0 0",
                       "2 .5 0", "2 1 0"},
                      {quad, "3 2 0 1 2 6 7 5", "3 2 0 1 5 7 8 3"})),
      "has a hanging vertex at (1, 0.5): the node 5 lies on a face of the "
      "quadrilateral 1 and is none of its corners.");
    const std::string twice = gmsh(
      {"0 0 0", "1 0 0", "1 1 0", "0 1 0", "1 0 0", "2 0 0", "2 1 0", "1 1 0"},
      {quad, "3 2 0 1 5 6 7 8"});
    expect_contains(
      file_error(twice),
      "has two vertices at the same place (1, 0), the nodes 2 and "
      "5; 'Mesh/Coinciding vertices' = merge makes them one");
    const std::string entry = "Mesh/Coinciding vertices";
    EXPECT_EQ(file_error(twice, ".msh", entry, "merge"), "");
    EXPECT_EQ(file_error(twice, ".msh", entry, "keep"), "");
    for (const bool merge : {true, false})
      {
        const TemporaryFile file(".msh", twice);
        auto parameters = file_parameters(file.path);
        parameters.set(entry, merge ? "merge" : "keep");
        Mesh<2> mesh;
        make_mesh(mesh, parameters);
        EXPECT_EQ(mesh.triangulation().n_vertices(), merge ? 6u : 8u);
        EXPECT_EQ(connected_parts(mesh).back(), merge ? 0 : 1);
      }
    // A vertex is in the middle of a face.
    const std::vector<std::string> cubes = {
      "0 0 0",  "1 0 0",   "1 1 0",   "0 1 0",    "0 0 1",   "1 0 1",
      "1 1 1",  "0 1 1",   "1 .5 .5", "1.5 0 .5", "2 .5 .5", "1.5 1 .5",
      "1 .5 2", "1.5 0 2", "2 .5 2",  "1.5 1 2"};
    expect_contains(file_error(gmsh(cubes, {"5 2 0 1 1 2 3 4 5 6 7 8",
                                            "5 2 0 1 9 10 11 12 13 14 15 16"})),
                    "has a hanging vertex at (1, 0.5, 0.5): the node 9 lies on "
                    "a face of the hexahedron 1");
  }


  TEST(MeshErrors, Dimensions)
  {
    const std::string plane = gmsh(square, {quad});
    expect_contains(file_error(plane, ".msh", "Mesh/Dimension", "3"),
                    "has cells of dimension 2; a mesh of dimension 3 was asked "
                    "for (gmsh leaves volumes out");
    auto nodes = square;
    nodes[2]   = "1 1 0.1";
    expect_contains(file_error(gmsh(nodes, {quad})),
                    "is a surface in space: node 3 has another z");
    for (auto &node : nodes)
      node.back() = '7';
    nodes[2] = "1 1 7";
    EXPECT_EQ(file_error(gmsh(nodes, {quad})), "");
    const std::string entry = "Mesh/Dimension";
    auto parameters = file_parameters(meshes + "box_tetrahedron_22_text.msh");
    parameters.set(entry, "2");
    expect_contains(mesh_error(parameters),
                    "has cells of dimension 3; a mesh of dimension 2");
  }


  TEST(MeshErrors, OtherFormats)
  {
    expect_contains(file_error("4 1 0 0 0\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n"
                               "1 0 hexa 1 2 3 4\n",
                               ".ucd"),
                    "has 'hexa' where line, tri, quad, tet or hex is expected");
    expect_contains(file_error("*NODE\n1, 0, 0\n*ELEMENT, TYPE=C3D5\n", ".inp"),
                    "has elements of type 'C3D5' in line 3; legal are");
    expect_contains(file_error("*NODE\n1, 0, 0, x\n", ".inp"), "a coordinate");
    expect_contains(file_error("# vtk DataFile Version 3.0\nt\nASCII\nDATASET "
                               "POLYDATA\n",
                               ".vtk"),
                    "has a data set of type 'POLYDATA'");
    expect_contains(file_error("<VTKFile type=\"PolyData\"></VTKFile>", ".vtu"),
                    "is not a VTK file of type UnstructuredGrid");
    // Arrays in base64 that end too early, are no base64 or go on behind their
    // padding; what follows a legal one is checked later.
    const auto base64_error = [](const std::string &array) {
      return file_error(
        "<VTKFile type=\"UnstructuredGrid\"><Points><DataArray "
        "type=\"UInt8\" format=\"binary\">" +
          array + "</DataArray></Points></VTKFile>",
        ".vtu");
    };
    for (const std::string array :
         {"AwAA", "AwAAAAECA", "AwAAAAE=", "AwAA!AECAw==", "AwAAAAE=AwEC"})
      expect_contains(base64_error(array),
                      {"an array in base64 ends too early"});
    expect_contains(base64_error("AwAAAAECAw=="), {"has no cells"});
    expect_contains(file_error("    -1\n  2411\n", ".unv"), "is truncated");
    expect_contains(file_error("x", ".exo"),
                    "is one of Exodus, which is not read; Cubit's command "
                    "'export abaqus");
  }


  TEST(MeshErrors, OfMeditAndMfem)
  {
    const std::string medit =
      "MeshVersionFormatted 2\nDimension 2\n# a comment\nVertices\n4\n"
      "0 0 1\n1 0 1\n1 1 1\n0 1 1\nCorners\n2\n1\n2\n"
      "Quadrilaterals\n1\n1 2 3 4 7\nEnd\n";
    EXPECT_EQ(file_error(medit, ".mesh"), "");
    EXPECT_EQ(file_error(medit, ".txt", "Mesh/Format", "medit"), "");
    expect_contains(
      file_error(replace(medit, "Dimension 2", "Dimension 4"), ".mesh"),
      "has dimension 4; legal are 2 and 3.");
    expect_contains(
      file_error(replace(medit, "End", ""), ".mesh"),
      "may be truncated: 'End' is missing behind its last section; "
      "the line 'End' makes a file that is whole complete.");
    expect_contains(
      file_error(replace(medit, "1 2 3 4 7", "1 2 3 5 7"), ".mesh"),
      "has no node 5, which the quadrilateral 1 names.");
    expect_contains(
      file_error(replace(medit, "1 2 3 4 7", "1 2 3 4 -7"), ".mesh"),
      "has the id -7 at the quadrilateral 1; legal are");
    expect_contains(file_error(replace(medit, "Quadrilaterals\n1\n1 2 3 4 7",
                                       "Prisms\n1\n1 2 3 4 1 2 0"),
                               ".mesh"),
                    "has 1 prism; legal are triangles, quadrilaterals, "
                    "tetrahedra or hexahedra, as gmsh makes them by dividing "
                    "all: meshio convert /");
    for (const std::string section :
         {"EdgesP3", "TrianglesP3", "QuadrilateralsQ3", "TetrahedraP4",
          "HexahedraQ3", "PrismsP2", "PyramidsP2"})
      expect_contains(file_error(replace(medit, "Corners", section), ".mesh"),
                      "has elements of the section '" + section +
                        "'; legal are lines,");
    EXPECT_EQ(
      file_error(replace(medit, "Corners", "TrianglesP2Ordering"), ".mesh"),
      "");
    expect_contains(file_error(replace(medit, "4\n0 0 1", "9\n0 0 1"), ".mesh"),
                    "has 'Corners' where a coordinate is expected in line 10.");
    const std::string mfem =
      "MFEM mesh v1.3\n# a comment\ndimension\n2\nelements\n1\n7 3 0 1 2 "
      "3\nattribute_sets\n1\n\"a\" 1 7\nboundary\n0\nvertices\n4\n2\n"
      "0 0\n1 0\n1 1\n0 1\nmfem_mesh_end\n";
    EXPECT_EQ(file_error(mfem, ".mesh"), "");
    EXPECT_EQ(file_error(mfem, ".txt", "Mesh/Format", "mfem"), "");
    expect_contains(
      file_error(replace(mfem, "mesh v1.3", "NURBS mesh v1.0"), ".mesh"),
      "begins with 'MFEM NURBS mesh v1.0'; legal are MFEM's");
    expect_contains(
      file_error(replace(mfem, "4\n2\n0 0", "4\n\nnodes\n"), ".mesh"),
      "has curved cells, with a section 'nodes'");
    expect_contains(file_error(replace(mfem, "7 3 0", "7 8 0"), ".mesh"),
                    "has the shape 8; legal are 0 to 7.");
    expect_contains(file_error(replace(mfem, "4\n2\n", "4\n1\n"), ".mesh"),
                    "has 1 coordinates a vertex in dimension 2.");
    expect_contains(file_error(replace(mfem, "vertices", "verticals"), ".mesh"),
                    "has 'verticals' where elements, boundary or vertices");
  }


  /// Sections of MFEM's format may have any order.
  TEST(MeshErrors, SectionsBehindVertices)
  {
    const MeshFile file = parse_mesh(
      "MFEM mesh v1.0\ndimension\n2\nvertices\n4\n2\n0 0\n1 0\n1 1\n"
      "0 1\nelements\n1\n7 3 0 1 2 3\nboundary\n1\n5 1 0 1\n",
      "mfem", "file");
    ASSERT_EQ(file.elements.size(), 2u);
    EXPECT_EQ(file.elements[0].type, CellType::quadrilateral);
    EXPECT_EQ(file.elements[1].type, CellType::line);
  }
} // namespace

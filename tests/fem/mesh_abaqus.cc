#include "bytes.h"
#include "mesh_cases.h"

#include <tessera/fem/fields/named_ids.h>

#include <cmath>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  /// A bar of two squares with corners from (0, 0) to (2, 1), whose first node
  /// and element are 11 and 1.
  const std::string bar =
    "*Part, name=Bar\n*Node\n11, 0, 0\n12, 1, 0\n13, 2, 0\n14, 0, 1\n15, 1, 1\n"
    "16, 2, 1\n*Element, type=CPE4\n1, 11, 12, 15, 14\n2, 12, 13, 16, 15\n"
    "*Elset, elset=All, generate\n1, 2\n*Elset, elset=Front\n2\n"
    "*Surface, name=Left\n1, S4\n*Nset, nset=Ends\n11, 13\n*End Part\n";

  std::string
  instance(const std::string &name, const std::string &lines,
           const std::string &part = "Bar")
  {
    return "*Instance, name=" + name + ", part=" + part + "\n" + lines +
           "*End Instance\n";
  }

  std::string
  assembly(const std::string &lines)
  {
    return "*Heading\n a bar\n" + bar + "*Assembly, name=A\n" + lines +
           "*End Assembly\n";
  }

  MeshFile
  parse(const std::string &text)
  {
    return parse_mesh(text, "inp", "file");
  }

  std::string
  error(const std::string &text)
  {
    return error_of([&] { parse(text); });
  }

  /// Returns the corners of the bounding box of the vertices of a piece.
  std::array<double, 4>
  box_of(const MeshFile &file, const int piece)
  {
    std::array<double, 4> box{{1e9, 1e9, -1e9, -1e9}};
    for (std::size_t i = 0; i < file.vertices.size(); ++i)
      for (int d = 0; d < 2 && (file.piece.empty() || file.piece[i] == piece);
           ++d)
        {
          box[d]     = std::min(box[d], file.vertices[i][d]);
          box[d + 2] = std::max(box[d + 2], file.vertices[i][d]);
        }
    return box;
  }

  void
  expect_box(const MeshFile &file, const int piece,
             const std::array<double, 4> &expected)
  {
    const auto box = box_of(file, piece);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(box[i], expected[i], 1e-14) << i;
  }


  TEST(MeshAbaqus, InstancesAreTranslatedThenTurned)
  {
    const MeshFile file = parse(assembly(
      instance("I-1", "") + instance("I-2", "4, 2.\n") +
      // About (5, 1), to which the translation takes the corner (0, 0).
      instance("I-3", "5, 1, 0\n5, 1, 0, 5, 1, 7, 90\n") +
      // About the axis x, by which z stays 0.
      instance("I-4", ",\n0, 0, 0, -2, 0, 0, 180.\n")));
    ASSERT_EQ(file.vertices.size(), 24u);
    ASSERT_EQ(file.elements.size(), 8u + 4u); // a face of each instance
    expect_box(file, 1, {{0, 0, 2, 1}});
    expect_box(file, 2, {{4, 2, 6, 3}});
    expect_box(file, 3, {{4, 1, 5, 3}});
    expect_box(file, 4, {{0, -1, 2, 0}});
    // The sense of the rotation: (1, 0) goes to (0, 1).
    EXPECT_NEAR(file.vertices[12 + 2][0], 5., 1e-14);
    EXPECT_NEAR(file.vertices[12 + 2][1], 3., 1e-14);
    for (const auto &vertex : file.vertices)
      EXPECT_NEAR(vertex[2], 0., 1e-14);
  }


  TEST(MeshAbaqus, InstancesThatTouchStayApart)
  {
    const TemporaryFile file(
      ".inp", assembly(instance("I-1", "") + instance("I-2", "2, 0, 0\n")));
    auto parameters = file_parameters(file.path);
    Mesh<2> mesh;
    testing::internal::CaptureStderr();
    ASSERT_EQ(error_of([&] { make_mesh(mesh, parameters); }), "");
    EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "lie on another instance of a part, one of them at (2, "),
              std::string::npos);
    EXPECT_EQ(mesh.triangulation().n_active_cells(), 4u);
    EXPECT_EQ(connected_parts(mesh), (std::vector<int>{0, 0, 1, 1}));
    parameters.set("Mesh/Coinciding vertices", "merge");
    ASSERT_EQ(error_of([&] { make_mesh(mesh, parameters); }), "");
    EXPECT_EQ(connected_parts(mesh), (std::vector<int>{0, 0, 0, 0}));
    EXPECT_NEAR(measure(mesh), 4., 1e-14);

    // Within an instance nothing may coincide.
    const TemporaryFile doubled(
      ".inp", assembly(instance("I-1",
                                "*Node\n21, 2, 0\n22, 3, 0\n23, 3, 1\n"
                                "24, 2, 1\n*Element, type=CPS4\n"
                                "3, 21, 22, 23, 24\n") +
                       instance("I-2", "9, 0, 0\n")));
    expect_contains(mesh_error(file_parameters(doubled.path)),
                    "has two vertices at the same place (2, 0), the nodes");
  }


  TEST(MeshAbaqus, GroupsOfInstances)
  {
    const TemporaryFile file(
      ".inp",
      assembly(instance("I-1", "") + instance("I-2", "3, 0, 0\n") +
               "*Elset, elset=Last, instance=i-2\n2,\n"
               "*Elset, elset=_S, internal, instance=I-1\n2,\n"
               "*Elset, elset=_S, internal, instance=I-2\n2,\n"
               "*Elset, elset=Named\nI-1.front, I-2.1\n"
               "*Surface, type=ELEMENT, name=Right\n_S, S2\n"
               "*Surface, type=ELEMENT, name=Bottom\nI-1.All, s1\nI-2.2, S1\n"
               "*Nset, nset=Tips, instance=I-2\n11, 16\n"
               "*Nset, nset=Tips\nI-1.Ends\n"));
    Mesh<2> mesh;
    make_mesh(mesh, file_parameters(file.path));
    const auto cells        = NamedIds::materials(mesh);
    const auto faces        = NamedIds::boundaries(mesh);
    const auto expect_cells = [&](const std::string &name,
                                  const std::vector<int> &expected) {
      SCOPED_TRACE(name);
      const auto ids = cells.find(name, "test");
      std::vector<int> found;
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        if (ids.count(cell->material_id()) > 0)
          found.push_back(static_cast<int>(cell->active_cell_index()));
      EXPECT_EQ(found, expected);
    };
    const auto expect_faces = [&](const std::string &name,
                                  const std::vector<double> &x) {
      SCOPED_TRACE(name);
      const auto ids = faces.find(name, "test");
      std::vector<double> found;
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        for (const auto &face : cell->face_iterators())
          if (face->at_boundary() && ids.count(face->boundary_id()) > 0)
            found.push_back(face->center()[0]);
      EXPECT_EQ(found, x);
    };
    expect_cells("All", {0, 1, 2, 3});
    expect_cells("I-1.All", {0, 1});
    expect_cells("I-2.All", {2, 3});
    expect_cells("front", {1, 3}); // in any case of letters
    expect_cells("I-2.Front", {3});
    expect_cells("Last", {3});
    expect_cells("Named", {1, 2});
    expect_faces("Left", {0, 3});
    expect_faces("I-2.Left", {3});
    expect_faces("Right", {2, 5});
    expect_faces("Bottom", {0.5, 1.5, 4.5});

    const MeshFile read = parse(load_bytes(file.path));
    EXPECT_EQ(read.node_sets, (std::map<std::string, std::vector<int>>{
                                {"Ends", {0, 2, 6, 8}},
                                {"I-1.Ends", {0, 2}},
                                {"I-2.Ends", {6, 8}},
                                {"Tips", {0, 2, 6, 11}}}));
  }


  /// One instance needs no other names, but the assembly may have the same
  /// ones.
  TEST(MeshAbaqus, NamesOfOneInstanceAndOfTheAssembly)
  {
    const std::string one = instance("I", "");
    EXPECT_EQ(parse(assembly(one)).names[2],
              (std::map<std::string, int>{{"All", 1}, {"Front", 2}}));
    EXPECT_EQ(
      parse(assembly(one + "*Elset, elset=ALL, instance=I\n1\n")).names[2],
      (std::map<std::string, int>{{"I.All", 1}, {"Front", 2}, {"ALL", 3}}));
  }


  TEST(MeshAbaqus, PartsWithoutInstances)
  {
    const MeshFile alone = parse(bar);
    EXPECT_EQ(alone.elements.size(), 3u);
    EXPECT_EQ(alone.names[2],
              (std::map<std::string, int>{{"All", 1}, {"Front", 2}}));
    ASSERT_EQ(alone.notes.size(), 1u);
    expect_contains(alone.notes[0], "has parts without instances, which are");
    const MeshFile other = parse(assembly(
      "*Part, name=Pin\n*Node\n1, 0, 0\n*End Part\n" + instance("I", "")));
    EXPECT_EQ(other.vertices.size(), 6u);
    expect_contains(other.notes[0],
                    "the part 'Pin' of the file has no instance");
  }


  TEST(MeshAbaqus, LinesNamesAndQuotes)
  {
    const MeshFile file = parse(
      "** a comment\n*NODE, nset=\"All of it\", SYSTEM=C\n1, 2, 0, \n2, 2, 90\n"
      "3, 0, , \n*Elset, elset=first, generate\n1, 5\n" // before its elements
      "*ELEMENT, TYPE=CPS3,\n** go on\n  ELSET=\"Set 1\"\n7, 1, 2, 3\n"
      "5, 3, 1, 2\n*Elset, elset=\"set 1\"\n\"Set 1\", FIRST\n"
      "*ELSET,ELSET=Third,\n5,\n");
    EXPECT_NEAR(file.vertices[1][0], 0., 1e-15);
    EXPECT_EQ(file.vertices[1][1], 2.);
    EXPECT_EQ(file.vertices[2], (std::array<double, 3>{}));
    EXPECT_EQ(file.names[2],
              (std::map<std::string, int>{
                {"first", 1}, {"Set 1", 2}, {"set 1", 3}, {"Third", 4}}));
    EXPECT_EQ(file.elements[0].id, 2);
    EXPECT_EQ(file.elements[1].id, 1);
    EXPECT_EQ(file.further_groups.at(0), std::set<int>{3});
    EXPECT_EQ(file.further_groups.at(1), (std::set<int>{2, 3, 4}));
    EXPECT_EQ(file.node_sets.at("All of it"), (std::vector<int>{0, 1, 2}));
  }


  /// Names are the same in any case of letters, also of surfaces and sets.
  TEST(MeshAbaqus, SurfacesAndSetsOfOneName)
  {
    const MeshFile file = parse(
      "*node, NSET=all\n1, 0, 0\n2, 1, 0\n3, 0, 1\n*nset, nset=ALL\n3\n"
      "*Element, type=cps3, elset=Cells\n1, 1, 2, 3\n"
      "*ELEMENT, TYPE=t2d2, ELSET=EDGE\n2, 1, 2\n"
      "*SURFACE, NAME=Edge, type=element\nCELLS, s2\n");
    EXPECT_EQ(file.names[1], (std::map<std::string, int>{{"Edge", 1}}));
    EXPECT_EQ(file.names[2], (std::map<std::string, int>{{"Cells", 1}}));
    EXPECT_EQ(file.node_sets.size(), 1u);
    EXPECT_EQ(file.node_sets.at("all").size(), 3u);
    ASSERT_EQ(file.elements.size(), 3u);
    EXPECT_EQ(file.elements[1].id, 1);
    EXPECT_EQ(file.elements[2].id, 1);
  }


  const std::string triangle =
    "*NODE\n1, 0, 0\n2, 1, 0\n3, 0, 1\n"
    "*ELEMENT, TYPE=CPE3, ELSET=E\n1, 1, 2, 3\n";

  /// What may change the mesh is refused with its line, the rest is named.
  TEST(MeshAbaqus, WhatIsNotReadIsSaid)
  {
    for (const std::string keyword :
         {"*NGEN", "*NCOPY", "*NFILL", "*NMAP", "*ELGEN", "*ELCOPY", "*SYSTEM",
          "*TIE", "*EQUATION", "*MPC", "*COUPLING", "*RIGID BODY",
          "*EMBEDDED ELEMENT", "*IMPERFECTION", "*PARAMETER", "*END PART",
          "*FROG"})
      expect_contains(error(triangle + keyword + ", NAME=X\n1, 2, 3\n"),
                      "has the keyword '" + keyword +
                        "' in line 7, which this reader does not know");
    expect_contains(error(triangle + "*INCLUDE, INPUT=other.inp\n"),
                    "has the keyword '*INCLUDE' in line 7");
    const MeshFile file =
      parse("*HEADING\na title\n" + triangle +
            "*Nset, nset=N\n1\n*Material, name=Steel\n*Elastic\n2e5, 0.3\n"
            "*Solid Section, elset=E, material=Steel\n,\n"
            "*Surface, type=CYLINDER, name=Tool\n1, 2\n"
            "*Step\n*Static\n1., 1.\n*Boundary\nN, 1\n*El "
            "Print\nS\n*Frog\n*End Step\n");
    EXPECT_EQ(file.notes,
              std::vector<std::string>{
                "of the file the following is not used: *HEADING (line 1), "
                "*MATERIAL (line 11), *ELASTIC (line 12), *SOLID SECTION "
                "(line 14), *SURFACE (line 16), *STEP (line 18), *STATIC "
                "(line 19), *BOUNDARY (line 21), *EL PRINT (line 23) and "
                "*FROG (line 25)."});
    // Conditions do not change the mesh, whether they are in a step or not.
    EXPECT_EQ(
      parse(triangle +
            "*Film\nE, F1, 20., 5.\n*DSLOAD\nS, P, 1.\n*Dflux\nE, BF, 1.\n"
            "*Step\n*DSLOAD\nS, P, 2.\n*Radiate\nE, R1, 20., 1.\n*dsload\n"
            "*End Step\n")
        .notes,
      std::vector<std::string>{
        "of the file the following is not used: *FILM (line 7), *DSLOAD "
        "(line 9 and 2 more), *DFLUX (line 11), *STEP (line 13) and *RADIATE "
        "(line 16)."});
    for (
      const auto &[lines, what] :
      {std::pair<std::string, std::string>{
         "*NODE, INPUT=nodes.txt\n",
         "has the option 'INPUT' of '*NODE' in line 7, which this reader"},
       {"*NODE, SYSTEM=S\n9, 1, 2, 3\n",
        "has 'S' where R or C, rectangular or cylindrical coordinates, is"},
       {"*NSET, NSET=N, ELSET=E\n", "has the option 'ELSET' of '*NSET'"},
       {"*ELSET, GENERATE\n1, 2\n", "has '*ELSET' without 'ELSET=' in line 7"},
       {"*ELSET, ELSET=F\n1,\n3\n",
        "has no element 3, which 'F' names in line 9."},
       {"*ELSET, ELSET=F, GENERATE\n3, 8\n", "has no element 3, which 'F'"},
       {"*ELSET, ELSET=F, GENERATE\n3, 2\n",
        "has '2' where a last number behind the first is expected in line 8"},
       {"*ELSET, ELSET=F\nG\n*ELSET, ELSET=G\nF\n",
        "has the set 'F', which contains itself."},
       {"*ELSET, ELSET=F\nG\n", "has no set 'G', which 'F' names in line 8"},
       {"*ELSET, ELSET=F, INSTANCE=I\n1\n",
        "has no instance 'I', which line 7 names."},
       {"*NSET, NSET=F\n4\n", "has no node 4, which 'F' names in line 8."},
       {"*SURFACE, NAME=S\nE, E1\n",
        "has 'E' where an element or a set, and a side S1 to S6 is expected "
        "in line 8"},
       {"*SURFACE, NAME=S, COMBINE=UNION\nE, S1\n",
        "has the option 'COMBINE' of '*SURFACE'"},
       {"*SURFACE, NAME=S\nE, S4\n", "has the side S4 of the triangle 1"},
       {"*ELEMENT, TYPE=R2D2\n", "of type 'R2D2' in line 7; legal are"}})
      {
        SCOPED_TRACE(lines);
        expect_contains(error(triangle + lines), what);
      }
  }


  /// Types that say more than what a cell looks like are named. A node without
  /// coordinates is at the origin.
  TEST(MeshAbaqus, TypesThatMeanMore)
  {
    const auto notes = [](const std::string &type, const std::string &lines) {
      return parse("*NODE\n1\n2, 1, 0\n3, 0, 1\n4, 0, 0, 1\n*ELEMENT, TYPE=" +
                   type + '\n' + lines)
        .notes;
    };
    EXPECT_TRUE(notes("CPE3", "1, 1, 2, 3\n").empty());
    EXPECT_TRUE(notes("DC2D3", "1, 1, 2, 3\n").empty());
    EXPECT_EQ(
      notes("CPS3", "1, 1, 2, 3\n"),
      std::vector<std::string>{
        "cells of the file have the type CPS3: parameters, not the file, say "
        "whether plane cells are in plane stress, in plane strain or of a "
        "solid of revolution."});
    EXPECT_TRUE(notes("C3D4", "1, 1, 2, 3, 4\n").empty());
    EXPECT_EQ(
      notes("C3D4",
            "1, 1, 2, 3, 4\n*ELEMENT, TYPE=T3D2\n2, 1, 4\n"
            "*ELEMENT, TYPE=s3\n3, 1, 2, 3\n"),
      std::vector<std::string>{
        "elements of the type S3, T3D2 of the file mark faces and edges "
        "alone: beams, trusses, shells and membranes have no stiffness "
        "here."});
  }


  TEST(MeshAbaqus, DamagedAssemblies)
  {
    for (const auto &[lines, what] :
         {std::pair<std::string, std::string>{
            instance("I", "", "Rod"),
            "has no part 'Rod', which line 24 names."},
          {instance("I", "") + instance("i", ""),
           "has the instance 'i' twice in line 26."},
          {instance("I", "1, 2, 3, 4\n"),
           "has '4' where the end of a translation is expected in line 25."},
          {instance("I", "1, 2, x\n"),
           "has 'x' where a translation is expected in line 25."},
          {instance("I", "0\n1, 2, 3, 1, 2, 3, 90\n"),
           "has an axis of rotation through one point alone in line 26."},
          {instance("I", "0\n1, 2, 3, 1, 2, 4, 90\n5\n"),
           "has '5' where '*END INSTANCE' or a keyword behind a rotation is"},
          {"*Instance, name=I, part=Bar, library=old\n",
           "has the option 'LIBRARY' of '*INSTANCE'"},
          {"*Instance, name=I, part=Bar\n*Instance, name=J, part=Bar\n",
           "has the keyword '*INSTANCE' in line 25, which"},
          {"*Part, name=BAR\n*End Part\n",
           "has the part 'BAR' twice in line 24"},
          {instance("I", "*Node\n11, 1, 2\n"), "has the node 11 twice."}})
      {
        SCOPED_TRACE(lines);
        expect_contains(error(assembly(lines)), what);
      }
    expect_contains(error("*Part, name=A\n*Node\n1, 0, 0\n"),
                    "is truncated: it ends before '*END PART'.");
    expect_contains(error(bar + "*Instance, name=I, part=Bar\n"),
                    "is truncated: it ends before '*END INSTANCE'.");
    expect_contains(error(bar.substr(0, bar.find("*End"))),
                    "is truncated: it ends before '*END PART'.");
  }
} // namespace

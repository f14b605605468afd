#include "bytes.h"
#include "mesh_cases.h"

// What a reader leaves out of a file is named in a note, or refused if it would
// change the mesh.
namespace
{
  using namespace tessera;
  using namespace tessera::test;

  using Notes = std::vector<std::string>;

  /// Returns the notes on a file, or the error.
  Notes
  notes_of(const std::string &text, const std::string &format)
  {
    Notes notes;
    const std::string error =
      error_of([&] { notes = parse_mesh(text, format, "file").notes; });
    return error.empty() ? notes : Notes{error};
  }

  void
  expect_refused(const std::string &text, const std::string &format,
                 const std::string &what)
  {
    SCOPED_TRACE(what);
    const Notes notes = notes_of(text, format);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].substr(0, 11), "3 The file ");
    expect_contains(notes[0], what);
  }

  std::string
  without(std::string text, const std::string &part)
  {
    return text.erase(text.find(part), part.size());
  }


  TEST(MeshNotes, Gmsh)
  {
    const std::string text =
      "$MeshFormat\n2.2 0 "
      "8\n$EndMeshFormat\n$Comments\nx\n$EndComments\n$Nodes\n3\n1 0 0 0\n2 1 "
      "0 0\n3 0 1 0\n$EndNodes\n$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n";
    EXPECT_EQ(notes_of(text, "msh"), Notes());
    EXPECT_EQ(notes_of(text + "$Periodic\n0\n$EndPeriodic\n", "msh"),
              Notes{"of the file the following is not used: $Periodic."});
  }


  /// A file of one part is refused, with the command that joins all.
  TEST(MeshNotes, OnePartOfSeveral)
  {
    const std::string text = load_bytes(meshes + "box_triangle_41_text.msh");
    const std::size_t end  = text.find("$Nodes");
    const auto with        = [&](const std::string &parts) {
      return text.substr(0, end) + "$PartitionedEntities\n" + parts +
             "$EndPartitionedEntities\n" + text.substr(end);
    };
    const std::string in_part_1 = "0 0 1 0\n3 2 1 1 1 0 0 0 1 1 0 0 0\n",
                      of_both   = "0 0 1 0\n3 2 1 2 1 2 0 0 0 1 1 0 0 0\n";
    EXPECT_EQ(
      error_of([&] { parse_mesh(with("1\n0\n" + in_part_1), "msh", "f"); }),
      "");
    EXPECT_EQ(
      error_of([&] { parse_mesh(with("2\n0\n" + of_both), "msh", "f"); }), "");
    EXPECT_EQ(
      error_of(
        [&] { parse_mesh(with("2\n1\n4 2\n" + in_part_1), "msh", "f"); }),
      "3 The f has 1 of the 2 parts of a mesh, whose files the command 'gmsh "
      "PART_1.msh PART_2.msh ... -save -o whole.msh' joins.");
    std::string binary = load_bytes(meshes + "box_triangle_40_text.msh");
    binary.replace(binary.find("4 0 8"), 5, "4 1 8");
    expect_contains(error_of([&] { parse_mesh(binary, "msh", "f"); }),
                    "is a binary file of gmsh's version 4.0, of which text "
                    "alone is read; the gmsh that wrote it converts it by "
                    "'gmsh NAME.msh -save -format msh2 -o new.msh'.");
  }


  TEST(MeshNotes, Vtk)
  {
    const std::string text =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS "
      "4 float\n0 0 0 1 0 0 0 1 0 1 1 0\nCELLS 2 8\n3 0 1 2\n3 1 3 "
      "2\nCELL_TYPES 2\n5 5\nCELL_DATA 2\nSCALARS MaterialID int\nLOOKUP_TABLE "
      "default\n3 4\n";
    const auto more = [&](const std::string &name, const std::string &values) {
      return text + "SCALARS " + name + " int\nLOOKUP_TABLE default\n" +
             values + '\n';
    };
    EXPECT_EQ(notes_of(text, "vtk"), Notes());
    EXPECT_EQ(notes_of(more("medit:ref", "3 4"), "vtk"), Notes());
    EXPECT_EQ(notes_of(more("region", "1 2") +
                         "POINT_DATA 4\nVECTORS fibres float\n1 0 0 1 0 0 1 0 "
                         "0 1 0 0\nVECTORS u float\n1 0 0 1 0 0 1 0 0 1 0 0\n",
                       "vtk"),
              Notes{"of the file the following is not used: the cell array "
                    "'region' and the point array 'fibres'."});
    expect_refused(
      more("medit:ref", "3 5"), "vtk",
      "has two cell arrays with different ids, 'MaterialID' and 'medit:ref'.");
    EXPECT_EQ(notes_of(more("vtkGhostType", "0 0"), "vtk"), Notes());
    expect_refused(
      more("vtkGhostType", "0 1"), "vtk",
      "has cells that are copies or hidden, as its array 'vtkGhostType' says");
  }


  TEST(MeshNotes, Vtu)
  {
    const auto text = [](const std::string &arrays) {
      const auto array = [](const std::string &name,
                            const std::string &values) {
        return "<DataArray type=\"Int32\" Name=\"" + name +
               "\" format=\"ascii\">" + values + "</DataArray>";
      };
      return "<VTKFile "
             "type=\"UnstructuredGrid\"><UnstructuredGrid><Piece><Points>" +
             array("Points", "0 0 0 1 0 0 0 1 0") + "</Points><Cells>" +
             array("connectivity", "0 1 2") + array("offsets", "3") +
             array("types", "5") + "</Cells><CellData>" +
             array("material_id", "3") + arrays +
             "</CellData></Piece></UnstructuredGrid></VTKFile>";
    };
    const std::string other =
      "<DataArray type=\"Int32\" Name=\"boundary_id\" "
      "format=\"ascii\">7</DataArray>";
    EXPECT_EQ(notes_of(text(""), "vtu"), Notes());
    EXPECT_EQ(
      notes_of(text("<DataArray type=\"String\" Name=\"T\"/>"), "vtu"),
      Notes{"of the file the following is not used: the cell array 'T'."});
    expect_refused(text(other), "vtu",
                   "different ids, 'material_id' and 'boundary_id'.");
  }


  TEST(MeshNotes, Unv)
  {
    const std::string nodes =
      "    -1\n  2411\n1 1 1 11\n0 0 0\n2 1 1 11\n1 0 0\n3 1 1 11\n0 1 0\n    "
      "-1\n";
    const std::string text =
      nodes + "    -1\n  2412\n1 41 1 1 7 3\n1 2 3\n    -1\n";
    const auto set = [&](const std::string &number, const std::string &lines) {
      return text + "    -1\n  " + number + "\n" + lines + "    -1\n";
    };
    const auto systems = [&](const std::string &type, const std::string &axis) {
      return set("2420", "1\nPart\n1 " + type + " 8\nGlobal\n" + axis +
                           "\n0 1 0\n0 0 1\n0.0 0.D0 0\n");
    };
    EXPECT_EQ(notes_of(text, "unv"), Notes());
    EXPECT_EQ(notes_of(set("164", "1 SI 2\n1 1 1\n"), "unv"),
              Notes{"of the file the following is not used: data set 164."});
    for (const std::string old :
         {"15", "71", "752", "780", "781", "2417", "2429", "2430", "2432"})
      expect_refused(set(old, "1\n"), "unv",
                     "has the data set " + old + " of an older version");
    EXPECT_EQ(notes_of(systems("0", "1 0 0"), "unv"), Notes());
    for (const auto &turned : {systems("1", "1 0 0"), systems("0", "0 1 0")})
      expect_refused(turned, "unv",
                     "has the node 3 in the system of coordinates 1, which is "
                     "not the common Cartesian one.");

    const std::string group = "5 0 0 0 0 0 0 2\ntips\n7 3 0 0 7 1 0 0\n";
    const MeshFile file     = parse_mesh(set("2467", group), "unv", "file");
    EXPECT_EQ(file.notes, Notes());
    EXPECT_EQ(file.node_sets,
              (std::map<std::string, std::vector<int>>{{"tips", {0, 2}}}));
    expect_refused(set("2467", "5 0 0 0 0 0 0 1\ntips\n7 4 0 0\n"), "unv",
                   "has no node 4, which the group 'tips' names.");
  }


  TEST(MeshNotes, Ucd)
  {
    const auto text = [](const std::string &n_data) {
      return "3 1 " + n_data +
             " 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n1 0 tri 1 2 3\n";
    };
    EXPECT_EQ(notes_of(text("0"), "ucd"), Notes());
    EXPECT_EQ(
      notes_of(text("1") + "1 1\nT, K\n1 300\n", "ucd"),
      Notes{"of the file the following is not used: data of nodes or cells."});
    expect_refused(
      text("0") + "2 0 tri 1 3 2\n", "ucd",
      "has '2 0 tri 1 3 2' where the end of the file is expected in line 6.");
  }


  TEST(MeshNotes, MeditAndMfem)
  {
    const std::string corners = "Corners\n1\n2\nRidges\n1\n1\n";
    const std::string medit =
      "MeshVersionFormatted 2\nDimension 2\nVertices\n3\n0 0 1\n1 0 1\n0 1 "
      "1\n" +
      corners + "Triangles\n1\n1 2 3 7\nEnd\n";
    EXPECT_EQ(notes_of(without(medit, corners), "medit"), Notes());
    EXPECT_EQ(
      notes_of(medit, "medit"),
      Notes{"of the file the following is not used: Corners and Ridges."});
    const std::string mfem =
      "MFEM mesh v1.3\ndimension\n2\nelements\n1\n7 2 0 1 "
      "2\nattribute_sets\n1\n\"a\" 1 7\nboundary\n0\nvertices\n3\n2\n0 0\n1 "
      "0\n0 1\nmfem_mesh_end\n";
    EXPECT_EQ(notes_of(mfem, "mfem"),
              Notes{"of the file the following is not used: attribute_sets."});
  }


  TEST(MeshNotes, Carp)
  {
    const auto text = [](const std::string &points, const std::string &elements,
                         const std::string &fibres) {
      return points + '\0' + elements + '\0' + fibres;
    };
    const std::string points = "3\n0 0 0\n1 0 0\n0 1 0\n",
                      cells  = "1\nTr 0 1 2 4\n";
    EXPECT_EQ(notes_of(text(points, cells, "1\n1 0 0\n"), "carp"), Notes());
    EXPECT_EQ(notes_of(text(points, cells, "2\n1 0 0 0 1 0\n"), "carp"),
              Notes());
    const std::string more =
      "3 The part .pts of the file has more lines than the 3 points that it "
      "announces.";
    EXPECT_EQ(notes_of(text(points + "1 1 0\n", cells, ""), "carp"),
              Notes{more});
    EXPECT_EQ(notes_of(text(points, cells + "Tr 1 0 2 4\n", ""), "carp"),
              Notes{"3 The part .elem of the file has more lines than the 1 "
                    "element that it announces."});
  }


  TEST(MeshNotes, GroupsOfLines)
  {
    const TemporaryFile file(
      ".msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 9 \"tip\"\n2 "
      "1 \"plate\"\n$EndPhysicalNames\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 "
      "0\n$EndNodes\n$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n");
    testing::internal::CaptureStderr();
    EXPECT_EQ(mesh_error(file_parameters(file.path)), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "note: groups of points or lines of the mesh file '" + file.path +
                "' have no members: 'tip'.\n");
  }
} // namespace

#include "bytes.h"
#include "mesh_cases.h"

#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/bridge/mesh_arrays.h>

#include <deal.II/grid/grid_out.h>

#include <zlib.h>

#include <set>
#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  template <int dim>
  unsigned int
  count_faces(const Mesh<dim> &mesh, const unsigned int id)
  {
    unsigned int n = 0;
    for (const auto &face : mesh.triangulation().active_face_iterators())
      n += face->at_boundary() && face->boundary_id() == id;
    return n;
  }

  /// Returns the id that a name stands for, which must be a single one.
  unsigned int
  only_id(const GroupNames &names, const std::string &name)
  {
    const auto entry = names.find(name);
    if (entry != names.end() && entry->second.size() == 1)
      return *entry->second.begin();
    ADD_FAILURE() << name;
    return 0;
  }

  /// Tests that deal.II takes the same cells when something asks for them.
  template <int dim>
  void
  expect_taken_when_asked(const Mesh<dim> &mesh)
  {
    EXPECT_TRUE(mesh.is_coarser());
    const auto arrays    = mesh.arrays();
    const MeshArrays all = mesh_arrays(mesh.triangulation());
    EXPECT_FALSE(mesh.is_coarser());
    EXPECT_EQ(arrays->corners.to_vector(), all.corners.to_vector());
    EXPECT_EQ(arrays->vertices.to_vector(), all.vertices.to_vector());
    EXPECT_EQ(arrays->materials.to_vector(), all.materials.to_vector());
    ASSERT_EQ(arrays->boundary.size(), all.boundary.size());
    for (std::size_t f = 0; f < all.boundary.size(); ++f)
      {
        const MeshFace &ours   = arrays->boundary.data()[f],
                       &theirs = all.boundary.data()[f];
        EXPECT_EQ(std::tie(ours.cell, ours.face, ours.id),
                  std::tie(theirs.cell, theirs.face, theirs.id));
      }
  }

  /// Tests the box of `meshes/box.geo` from a file that has names, ids, both or
  /// neither. x = 0 is 'left' (11) and x = 1 'right' (12); cells with x < 0.5
  /// are 'copper' (21), the others 'steel' (22).
  template <int dim>
  void
  expect_box(const std::string &path, const CellType type, const bool names,
             const bool ids, const bool merge = false)
  {
    SCOPED_TRACE(path);
    Mesh<dim> mesh;
    auto parameters = file_parameters(path);
    if (merge)
      parameters.set("Mesh/Coinciding vertices", "merge");
    ASSERT_EQ(mesh_dimension(parameters), dim);
    ASSERT_EQ(error_of([&] { make_mesh(mesh, parameters); }), "");
    EXPECT_EQ(mesh.cell_type(), type);
    expect_taken_when_asked(mesh);
    // Gmsh rounds to 1e-12 in its transfinite curves.
    EXPECT_NEAR(measure(mesh), 1., 1e-11);
    EXPECT_EQ(mesh.triangulation().n_vertices(), dim == 2 ? 9u : 18u);
    const bool simplex = is_simplex(type);
    EXPECT_EQ(mesh.triangulation().n_active_cells(),
              dim == 2 ? (simplex ? 8u : 4u) : (simplex ? 24u : 4u));
    unsigned int left = 11, right = 12, copper = 21, steel = 22;
    if (names)
      {
        left   = only_id(mesh.boundary_names, "left");
        right  = only_id(mesh.boundary_names, "right");
        copper = only_id(mesh.material_names, "copper");
        steel  = only_id(mesh.material_names, "steel");
      }
    if (!names && !ids)
      return;
    const unsigned int n_faces = dim == 3 && simplex ? 4 : 2;
    EXPECT_EQ(count_faces(mesh, left), n_faces);
    EXPECT_EQ(count_faces(mesh, right), n_faces);
    for (const auto &face : mesh.triangulation().active_face_iterators())
      if (face->at_boundary())
        {
          const double x = face->center()[0];
          EXPECT_EQ(face->boundary_id() == left, x < 1e-10);
          EXPECT_EQ(face->boundary_id() == right, x > 1. - 1e-10);
        }
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      EXPECT_EQ(cell->material_id(), cell->center()[0] < 0.5 ? copper : steel);
  }


  template <int dim>
  void
  expect_boxes(const CellType type)
  {
    const std::string box = meshes + "box_" + to_string(type);
    for (const std::string file :
         {"_22_text.msh", "_22_binary.msh", "_41_text.msh", "_41_binary.msh",
          "_40_text.msh", "_41_parts.msh", ".unv", ".inp"})
      expect_box<dim>(box + file, type, true, true);
    for (const std::string file :
         {"_text.vtk", "_binary.vtk", ".mesh", "_mfem.mesh"})
      expect_box<dim>(box + file, type, false, true);
    if (type == CellType::hexahedron || type == CellType::triangle)
      for (const std::string file :
           {"_text.vtu", "_binary.vtu", "_appended.vtu", "_appended_raw.vtu"})
        expect_box<dim>(box + file, type, false, true);
    if (type == CellType::hexahedron)
      for (const std::string file : {"_text_5.vtk", "_binary_5.vtk"})
        expect_box<dim>(box + file, type, false, true);
  }


  TEST(MeshFiles, OfQuadrilaterals)
  {
    expect_boxes<2>(CellType::quadrilateral);
  }


  TEST(MeshFiles, OfTriangles)
  {
    expect_boxes<2>(CellType::triangle);
  }


  TEST(MeshFiles, OfHexahedra)
  {
    expect_boxes<3>(CellType::hexahedron);
  }


  TEST(MeshFiles, OfTetrahedra)
  {
    expect_boxes<3>(CellType::tetrahedron);
  }


  /// Files that deal.II writes must be read; its binary .vtu is compressed.
  TEST(MeshFiles, ByDealII)
  {
    Mesh<3> mesh;
    auto parameters = file_parameters(meshes + "box_hexahedron_41_text.msh");
    make_mesh(mesh, parameters);
    dealii::GridOut writer;
    writer.set_flags(dealii::GridOutFlags::Ucd(true, true));
    const auto expect = [&](const std::string &suffix, const auto &write,
                            const bool ids) {
      std::ostringstream out;
      write(out);
      const TemporaryFile file(suffix, out.str());
      // In a .vtu of deal.II, each cell has vertices of its own.
      expect_box<3>(file.path, CellType::hexahedron, false, ids,
                    suffix == ".vtu");
    };
    const auto &t = mesh.triangulation();
    expect(
      ".ucd", [&](std::ostream &out) { writer.write_ucd(t, out); }, true);
    expect(
      ".inp", [&](std::ostream &out) { writer.write_ucd(t, out); }, true);
    expect(
      ".vtk", [&](std::ostream &out) { writer.write_vtk(t, out); }, true);
    expect(
      ".vtu", [&](std::ostream &out) { writer.write_vtu(t, out); }, false);
  }


  TEST(MeshFiles, CompressedAndFromOtherSystems)
  {
    const std::string text = load_bytes(meshes + "box_triangle_41_text.msh");
    std::string windows;
    for (const char c : text)
      windows += c == '\n' ? "\r\n" : std::string(1, c);
    const TemporaryFile crlf(".msh", windows);
    expect_box<2>(crlf.path, CellType::triangle, true, true);
    for (const std::string name :
         {"box_triangle.inp", "box_triangle.unv", "box_triangle_text.vtk"})
      {
        windows.clear();
        for (const char c : load_bytes(meshes + name))
          windows += c == '\n' ? "\r\n" : std::string(1, c);
        const TemporaryFile file(name.substr(name.find('.')), windows);
        expect_box<2>(file.path, CellType::triangle,
                      name.find("vtk") == name.npos, true);
      }

    const TemporaryFile zipped("_zipped.msh.gz", "");
    const gzFile out = gzopen(zipped.path.c_str(), "wb");
    gzwrite(out, text.data(), text.size());
    gzclose(out);
    expect_box<2>(zipped.path, CellType::triangle, true, true);
    const std::string content = load_bytes(zipped.path);
    const TemporaryFile cut("_cut.msh.gz", content.substr(0, 300));
    expect_contains(mesh_error(file_parameters(cut.path)),
                    "is truncated or damaged: it cannot be uncompressed.");
  }


  TEST(MeshFiles, ScaleRefinementAndSimplices)
  {
    auto parameters = file_parameters(meshes + "box_hexahedron_22_text.msh");
    parameters.set("Mesh/Scale", "0.001");
    parameters.set("Mesh/Initial refinement", "1");
    parameters.set("Mesh/Cell type", "tetrahedron");
    Mesh<3> mesh;
    make_mesh(mesh, parameters);
    EXPECT_NEAR(measure(mesh), 1e-9, 1e-20);
    EXPECT_EQ(mesh.triangulation().n_active_cells(), 6u * 8u * 4u);
    EXPECT_EQ(count_faces(mesh, 11), 2u * 8u);
    EXPECT_EQ(material_ids(mesh.triangulation()),
              (std::set<unsigned int>{21, 22}));
    EXPECT_EQ(mesh.material_names,
              (GroupNames{{"copper", {21}}, {"steel", {22}}}));
    parameters = file_parameters(meshes + "box_tetrahedron_22_text.msh");
    parameters.set("Mesh/Initial refinement", "1");
    make_mesh(mesh, parameters);
    EXPECT_NEAR(measure(mesh), 1., 1e-11);
    EXPECT_EQ(mesh.triangulation().n_active_cells(), 8u * 24u);
    EXPECT_EQ(count_faces(mesh, 11), 16u);
    parameters.set("Mesh/Cell type", "hexahedron");
    expect_contains(mesh_error(parameters),
                    "of type tetrahedron, of which "
                    "'Mesh/Cell type' = hexahedron "
                    "cannot be made.");
  }


  TEST(MeshFiles, NamesWithBlanks)
  {
    Mesh<2> mesh;
    make_mesh(mesh, file_parameters(plate));
    EXPECT_EQ(mesh.list_boundaries(),
              "1 ('outer'), 2 ('hot holes'), 3 ('cold hole'), "
              "4 ('free holes')");
    EXPECT_GT(mesh.triangulation().n_active_cells(), 500u);
    // The area is 3 x 2 with corners of radius 0.15, without the six holes.
    const double pi = dealii::numbers::PI;
    EXPECT_NEAR(measure(mesh),
                6. - (4. - pi) * 0.15 * 0.15 -
                  pi * (0.28 * 0.28 + 0.2 * 0.2 + 0.32 * 0.22 + 0.24 * 0.24 +
                        0.34 * 0.34 + 0.22 * 0.22),
                0.03);
  }


  TEST(MeshFiles, SurfacesAndSetsOfAbaqus)
  {
    const std::string text =
      "*Heading\n a part\n"
      "*NODE\n1, 0, 0, 0\n2, 1, 0\n3, 1., 1.D0, 0\n"
      "4, 0, 1, 0\n5, 2, 0, 0\n6, 2, 1, 0\n"
      "** cells\n"
      "*Element, Type = CPS4, ELSET=all\n"
      "10, 1, 2, 3,\n4\n20, 2, 5, 6, 3\n"
      "*ELSET, ELSET=one, GENERATE\n10, 15, 5\n"
      "*ELSET, elset=Two\n20,\n"
      "*SURFACE, NAME=Inlet, TYPE=ELEMENT\nONE, S4\n"
      "*Surface, name=Wall\n20, S1\ntwo, S3\n"
      "*STEP\n*STATIC\n1., 1.\n*END STEP\n";
    const TemporaryFile file(".inp", text);
    Mesh<2> mesh;
    make_mesh(mesh, file_parameters(file.path));
    EXPECT_EQ(mesh.list_boundaries(), "0, 1 ('Inlet'), 2 ('Wall')");
    EXPECT_EQ(count_faces(mesh, 1), 1u);
    EXPECT_EQ(count_faces(mesh, 2), 2u);
    EXPECT_EQ(material_ids(mesh.triangulation()),
              (std::set<unsigned int>{2, 3}));
    EXPECT_EQ(mesh.material_names,
              (GroupNames{{"all", {2, 3}}, {"one", {2}}, {"Two", {3}}}));
    for (const auto &face : mesh.triangulation().active_face_iterators())
      if (face->at_boundary())
        {
          EXPECT_EQ(face->boundary_id() == 1, face->center()[0] < 0.25);
        }
  }


  /// Tests two squares side by side. 'wall' (1) is the bottom and the left
  /// side, 'left' (2) the left side, 'ends' (3) the left and the right side;
  /// 'all' (4) has both cells, and 'second' (5) has the cell on the right.
  void
  expect_groups(const std::string &suffix, const std::string &text)
  {
    SCOPED_TRACE(suffix);
    const TemporaryFile file(suffix, text);
    Mesh<2> mesh;
    ASSERT_EQ(error_of([&] { make_mesh(mesh, file_parameters(file.path)); }),
              "");
    const auto expect = [&mesh](const GroupNames &names,
                                const std::string &name, const unsigned int id,
                                const bool is_in) {
      EXPECT_EQ(names.at(name).count(id) > 0, is_in)
        << name << " with " << mesh.list_boundaries();
    };
    for (const auto &face : mesh.triangulation().active_face_iterators())
      if (face->at_boundary())
        {
          const double x  = face->center()[0];
          const bool left = x < 0.1, bottom = face->center()[1] < 0.1;
          const unsigned int id = face->boundary_id();
          expect(mesh.boundary_names, "wall", id, left || bottom);
          expect(mesh.boundary_names, "left", id, left);
          expect(mesh.boundary_names, "ends", id, left || x > 1.9);
        }
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      {
        expect(mesh.material_names, "all", cell->material_id(), true);
        expect(mesh.material_names, "second", cell->material_id(),
               cell->center()[0] > 1.);
      }
    EXPECT_EQ(mesh.n_ignored_faces, 0u);
  }


  TEST(MeshFiles, ASurfaceAndASetOfOneName)
  {
    const TemporaryFile file(".inp",
                             "*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n"
                             "*ELEMENT, TYPE=CPS4, ELSET=all\n10, 1, 2, 3, 4\n"
                             "*ELEMENT, TYPE=T2D2, ELSET=inlet\n1, 4, 1\n"
                             "*SURFACE, NAME=inlet\n10, S4\n10, S1\n");
    Mesh<2> mesh;
    make_mesh(mesh, file_parameters(file.path));
    EXPECT_EQ(mesh.list_boundaries(), "0, 1 ('inlet')");
    EXPECT_EQ(count_faces(mesh, 1), 2u);
  }


  TEST(MeshFiles, WhatIsInSeveralGroups)
  {
    const std::string names =
      "$PhysicalNames\n5\n1 1 \"wall\"\n1 2 \"left\"\n"
      "1 3 \"ends\"\n2 4 \"all\"\n2 5 \"second\"\n"
      "$EndPhysicalNames\n";
    expect_groups(".msh",
                  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + names +
                    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n"
                    "6 2 1 0\n$EndNodes\n"
                    "$Elements\n9\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n"
                    "3 1 2 1 2 4 1\n4 1 2 2 2 4 1\n5 1 2 3 2 4 1\n"
                    "6 1 2 3 3 3 6\n7 3 2 4 1 1 2 5 4\n"
                    "8 3 2 4 2 2 3 6 5\n9 3 2 5 2 2 3 6 5\n$EndElements\n");
    expect_groups(
      ".msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" + names +
                "$Entities\n0 3 2 0\n"
                "1 0 0 0 2 0 0 1 1 0\n2 0 0 0 0 1 0 3 1 -2 3 0\n"
                "3 2 0 0 2 1 0 1 3 0\n"
                "1 0 0 0 1 1 0 1 4 0\n2 1 0 0 2 1 0 2 4 5 0\n$EndEntities\n"
                "$Nodes\n1 6 1 6\n2 1 0 6\n1\n2\n3\n4\n5\n6\n"
                "0 0 0\n1 0 0\n2 0 0\n0 1 0\n1 1 0\n2 1 0\n$EndNodes\n"
                "$Elements\n5 6 1 6\n1 1 1 2\n1 1 2\n2 2 3\n1 2 1 1\n3 4 1\n"
                "1 3 1 1\n4 3 6\n2 1 3 1\n5 1 2 5 4\n2 2 3 1\n6 2 3 6 5\n"
                "$EndElements\n");
    const std::string nodes =
                        "*NODE\n1, 0, 0\n2, 1, 0\n3, 2, 0\n4, 0, 1\n"
                        "5, 1, 1\n6, 2, 1\n",
                      cells =
                        "*ELEMENT, TYPE=CPS4, ELSET=all\n"
                        "10, 1, 2, 5, 4\n20, 2, 3, 6, 5\n"
                        "*ELSET, ELSET=second\n20\n";
    expect_groups(".inp",
                  nodes + cells +
                    "*ELEMENT, TYPE=T2D2, ELSET=wall\n1, 1, 2\n2, 2, 3\n"
                    "3, 4, 1\n*ELEMENT, TYPE=T2D2, ELSET=ends\n4, 3, 6\n"
                    "*ELSET, ELSET=left\n3\n*ELSET, ELSET=ends\nleft\n");
    expect_groups(".inp", nodes + cells +
                            "*SURFACE, NAME=wall\nall, S1\n10, S4\n"
                            "*SURFACE, NAME=left\n10, S4\n"
                            "*SURFACE, NAME=ends\n10, S4\n20, S2\n");
    expect_groups(
      ".unv",
      "-1\n2411\n1 1 1 1\n0 0 0\n2 1 1 1\n1 0 0\n3 1 1 1\n2 0 0\n"
      "4 1 1 1\n0 1 0\n5 1 1 1\n1 1 0\n6 1 1 1\n2 1 0\n-1\n"
      "-1\n2412\n1 21 1 1 1 2\n0 0 0\n1 2\n2 21 1 1 1 2\n0 0 0\n2 3\n"
      "3 21 1 1 1 2\n0 0 0\n4 1\n4 21 1 1 1 2\n0 0 0\n3 6\n"
      "5 94 1 1 1 4\n1 2 5 4\n6 94 1 1 1 4\n2 3 6 5\n-1\n"
      "-1\n2477\n1 0 0 0 0 0 0 3\nwall\n8 1 0 0 8 2 0 0\n8 3 0 0\n"
      "2 0 0 0 0 0 0 1\nleft\n8 3 0 0\n"
      "3 0 0 0 0 0 0 2\nends\n8 3 0 0 8 4 0 0\n"
      "4 0 0 0 0 0 0 2\nall\n8 5 0 0 8 6 0 0\n"
      "5 0 0 0 0 0 0 1\nsecond\n8 6 0 0\n-1\n");
  }
} // namespace

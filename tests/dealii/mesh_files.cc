#include "mesh_cases.h"

#include <deal.II/grid/grid_out.h>

#include <zlib.h>

#include <set>
#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  std::string
  content_of(const std::string &path)
  {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  template <int dim>
  unsigned int
  count_faces(const Mesh<dim> &mesh, const unsigned int id)
  {
    unsigned int n = 0;
    for (const auto &face : mesh.triangulation.active_face_iterators())
      n += face->at_boundary() && face->boundary_id() == id;
    return n;
  }

  /// The box of `meshes/box.geo`, from a file that knows its names or ids or
  /// neither; at x = 0 is 'left' (11), at x = 1 'right' (12), for x < 0.5
  /// 'copper' (21), else 'steel' (22).
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
    // Gmsh rounds to 1e-12 in its transfinite curves.
    EXPECT_NEAR(measure(mesh), 1., 1e-11);
    EXPECT_EQ(mesh.triangulation.n_vertices(), dim == 2 ? 9u : 18u);
    const bool simplex = is_simplex(type);
    EXPECT_EQ(mesh.triangulation.n_active_cells(),
              dim == 2 ? (simplex ? 8u : 4u) : (simplex ? 24u : 4u));
    unsigned int left = 11, right = 12, copper = 21, steel = 22;
    if (names)
      {
        EXPECT_EQ(mesh.boundary_names.count("left"), 1u);
        left   = mesh.boundary_names["left"];
        right  = mesh.boundary_names["right"];
        copper = mesh.material_names["copper"];
        steel  = mesh.material_names["steel"];
      }
    if (!names && !ids)
      return;
    const unsigned int n_faces = dim == 3 && simplex ? 4 : 2;
    EXPECT_EQ(count_faces(mesh, left), n_faces);
    EXPECT_EQ(count_faces(mesh, right), n_faces);
    for (const auto &face : mesh.triangulation.active_face_iterators())
      if (face->at_boundary())
        {
          const double x = face->center()[0];
          EXPECT_EQ(face->boundary_id() == left, x < 1e-10);
          EXPECT_EQ(face->boundary_id() == right, x > 1. - 1e-10);
        }
    for (const auto &cell : mesh.triangulation.active_cell_iterators())
      EXPECT_EQ(cell->material_id(), cell->center()[0] < 0.5 ? copper : steel);
  }


  template <int dim>
  void
  expect_boxes(const CellType type)
  {
    const std::string box = meshes + "box_" + to_string(type);
    for (const std::string file :
         {"_22_text.msh", "_22_binary.msh", "_41_text.msh", "_41_binary.msh",
          ".unv", ".inp"})
      expect_box<dim>(box + file, type, true, true);
    for (const std::string file : {"_text.vtk", "_binary.vtk"})
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


  /// What deal.II writes is read again; its binary .vtu is compressed.
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
      // A .vtu of deal.II has each cell with vertices of its own.
      expect_box<3>(file.path, CellType::hexahedron, false, ids,
                    suffix == ".vtu");
    };
    const auto &t = mesh.triangulation;
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
    const std::string text = content_of(meshes + "box_triangle_41_text.msh");
    std::string windows;
    for (const char c : text)
      windows += c == '\n' ? "\r\n" : std::string(1, c);
    const TemporaryFile crlf(".msh", windows);
    expect_box<2>(crlf.path, CellType::triangle, true, true);
    for (const std::string name :
         {"box_triangle.inp", "box_triangle.unv", "box_triangle_text.vtk"})
      {
        windows.clear();
        for (const char c : content_of(meshes + name))
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
    const std::string content = content_of(zipped.path);
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
    EXPECT_EQ(mesh.triangulation.n_active_cells(), 6u * 8u * 4u);
    EXPECT_EQ(count_faces(mesh, 11), 2u * 8u);
    EXPECT_EQ(mesh.list_materials(), "21 ('copper'), 22 ('steel')");
    parameters = file_parameters(meshes + "box_tetrahedron_22_text.msh");
    parameters.set("Mesh/Initial refinement", "1");
    make_mesh(mesh, parameters);
    EXPECT_NEAR(measure(mesh), 1., 1e-11);
    EXPECT_EQ(mesh.triangulation.n_active_cells(), 8u * 24u);
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
    EXPECT_GT(mesh.triangulation.n_active_cells(), 500u);
    // Area: 3 x 2 with corners of radius 0.15, less the six holes.
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
    EXPECT_EQ(mesh.list_materials(), "2 ('one'), 3 ('Two')");
    for (const auto &face : mesh.triangulation.active_face_iterators())
      if (face->at_boundary())
        {
          EXPECT_EQ(face->boundary_id() == 1, face->center()[0] < 0.25);
        }
  }
} // namespace

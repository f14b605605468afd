#include "mesh_cases.h"

#include <tessera/fem/mesh/mesh_body.h>

#include <omp.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  using Point     = std::array<double, 3>;
  using Triangles = std::vector<std::array<Point, 3>>;

  /// A folder that is removed at the end.
  struct TemporaryFolder
  {
    explicit TemporaryFolder(const std::string &name)
      : path((std::filesystem::temp_directory_path() / ("tessera_" + name))
               .string())
    {}

    ~TemporaryFolder()
    {
      std::filesystem::remove_all(path);
    }

    const std::string path;
  };

  void
  add_cube(Triangles &triangles, const Point &corner, const double size)
  {
    std::array<Point, 8> v;
    for (int i = 0; i < 8; ++i)
      for (int d = 0; d < 3; ++d)
        v[i][d] = corner[d] + size * (i >> d & 1);
    for (const auto &[a, b, c, d] : {std::array<int, 4>{0, 2, 3, 1},
                                     {4, 5, 7, 6},
                                     {0, 1, 5, 4},
                                     {2, 6, 7, 3},
                                     {0, 4, 6, 2},
                                     {1, 3, 7, 5}})
      {
        triangles.push_back({v[a], v[b], v[c]});
        triangles.push_back({v[a], v[c], v[d]});
      }
  }

  /// A prism of height 2 over a regular polygon with corners on the circle of
  /// radius 1.
  Triangles
  prism(const int n)
  {
    const auto corner = [n](const int i, const double z) {
      return Point{{std::cos(2 * M_PI * i / n), std::sin(2 * M_PI * i / n), z}};
    };
    Triangles triangles;
    for (int i = 0; i < n; ++i)
      {
        const Point a = corner(i, 0.), b = corner((i + 1) % n, 0.),
                    c = corner((i + 1) % n, 2.), d = corner(i, 2.);
        triangles.push_back({Point{{0., 0., 0.}}, b, a});
        triangles.push_back({Point{{0., 0., 2.}}, d, c});
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
      }
    return triangles;
  }

  /// A binary file. Every second triangle is turned around, which must not
  /// matter.
  std::string
  binary_stl(const Triangles &triangles)
  {
    std::string content(80, ' ');
    const auto append = [&content](const auto &value) {
      content.append(reinterpret_cast<const char *>(&value), sizeof(value));
    };
    append(static_cast<std::uint32_t>(triangles.size()));
    for (std::size_t t = 0; t < triangles.size(); ++t)
      {
        for (int d = 0; d < 3; ++d)
          append(0.f);
        for (int v = 0; v < 3; ++v)
          for (const double x : triangles[t][t % 2 == 0 ? v : 2 - v])
            append(static_cast<float>(x));
        append(std::uint16_t(0));
      }
    return content;
  }

  template <int dim>
  std::map<unsigned int, double>
  areas_of(const Mesh<dim> &mesh)
  {
    std::map<unsigned int, double> areas;
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      for (const auto &face : cell->face_iterators())
        if (face->at_boundary())
          areas[face->boundary_id()] += face->measure();
    return areas;
  }

  TEST(MeshBody, VolumeAndBoundariesOfACylinder)
  {
    constexpr int n = 24;
    const TemporaryFile file("cylinder.stl", binary_stl(prism(n)));
    const TemporaryFolder folder("cylinder");
    auto parameters = file_parameters(file.path);
    parameters.set("Mesh/Element size", "0.25");
    const int n_threads = omp_get_max_threads();
    std::ostringstream out;
    const std::string msh = mesh_body(parameters, folder.path, out);
    EXPECT_EQ(omp_get_max_threads(), n_threads);
    EXPECT_EQ(msh, folder.path + "/mesh.msh");
    EXPECT_EQ(parameters.get("Mesh/File"), file.path);
    EXPECT_EQ(parameters.get_file("Mesh/File"), msh);
    EXPECT_NE(out.str().find("2: (-1, -1, 2) to (1, 1, 2)"), std::string::npos)
      << out.str();

    Mesh<3> mesh;
    ASSERT_EQ(error_of([&] { make_mesh(mesh, parameters); }), "");
    EXPECT_EQ(mesh.cell_type(), CellType::tetrahedron);
    // The facets turn by 15 degrees, so that the mantle is one boundary. Where
    // elements cut the edges between them, the volume differs a little.
    const double base   = n / 2. * std::sin(2 * M_PI / n),
                 mantle = 4 * n * std::sin(M_PI / n);
    EXPECT_NEAR(measure(mesh), 2 * base, 0.01 * 2 * base);
    const auto areas = areas_of(mesh);
    ASSERT_EQ(areas.size(), 3u);
    EXPECT_NEAR(areas.at(1), base, 1e-3 * base);
    EXPECT_NEAR(areas.at(2), base, 1e-3 * base);
    EXPECT_NEAR(areas.at(3), mantle, 0.01 * mantle);
  }

  TEST(MeshBody, AFinerAngleGivesMoreBoundaries)
  {
    const TemporaryFile file("hexagon.stl", binary_stl(prism(6)));
    const TemporaryFolder folder("hexagon");
    auto parameters = file_parameters(file.path);
    for (const auto &[angle, n_boundaries] :
         {std::pair<const char *, std::size_t>{"70", 3}, {"50", 8}})
      {
        parameters.set("Mesh/Surface angle", angle);
        std::ostringstream out;
        mesh_body(parameters, folder.path, out);
        Mesh<3> mesh;
        make_mesh(mesh, parameters);
        EXPECT_EQ(areas_of(mesh).size(), n_boundaries) << angle;
      }
  }

  TEST(MeshBody, ShellsAreBodiesAndCavities)
  {
    Triangles triangles;
    add_cube(triangles, {{2., 0., 0.}}, 0.5);
    add_cube(triangles, {{0.3, 0.35, 0.3}}, 0.4); // the cavity comes first
    add_cube(triangles, {{0., 0., 0.}}, 1.);
    const TemporaryFile file("shells.stl", binary_stl(triangles));
    const TemporaryFolder folder("shells");
    auto parameters = file_parameters(file.path);
    parameters.set("Mesh/Element size", "0.2");
    parameters.set("Mesh/Scale", "2");
    std::ostringstream out;
    mesh_body(parameters, folder.path, out);
    Mesh<3> mesh;
    ASSERT_EQ(error_of([&] { make_mesh(mesh, parameters); }), "");
    std::map<unsigned int, double> volumes;
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      volumes[cell->material_id()] += cell->measure();
    ASSERT_EQ(volumes.size(), 2u);
    EXPECT_NEAR(volumes.at(1), 8 * 0.125, 1e-6); // as exact as float
    EXPECT_NEAR(volumes.at(2), 8 * (1. - 0.064), 1e-5);
    const auto areas = areas_of(mesh);
    ASSERT_EQ(areas.size(), 18u);
    for (const auto &[id, area] : areas)
      EXPECT_NEAR(area, 4 * (id <= 6 ? 0.25 : id <= 12 ? 0.16 : 1.), 1e-5);
    EXPECT_NE(out.str().find("7: (0.6, 0.7, 0.6) to (1.4, 1.5, 0.6)"),
              std::string::npos)
      << out.str();
  }

  /// Two boxes, whose file has the numbers of metres and is changed to say that
  /// they are inches. Nothing is converted, and the summary says what they are.
  TEST(MeshBody, UnitsOfStepAreNamed)
  {
    std::ifstream in(TESSERA_SOURCE_DIR
                     "/tests/applications/poisson/boxes.step");
    std::stringstream text;
    text << in.rdbuf();
    std::string inches       = text.str();
    const std::string metre  = "NAMED_UNIT(*) SI_UNIT($,.METRE.) );",
                      length = "( LENGTH_UNIT() " + metre;
    std::size_t number       = 9000;
    for (std::size_t at; (at = inches.find(length)) != std::string::npos;
         number += 3)
      {
        const auto id = [&](const int i) {
          return '#' + std::to_string(number + i);
        };
        inches.replace(
          at, length.size(),
          "( CONVERSION_BASED_UNIT('INCH'," + id(0) +
            ") LENGTH_UNIT() NAMED_UNIT(" + id(1) + ") );\n" + id(0) +
            " = LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4)," + id(2) +
            ");\n" + id(1) +
            " = DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);\n" + id(2) +
            " = ( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );");
      }
    ASSERT_GT(number, 9000u);
    const TemporaryFolder folder("units");
    for (const auto &[content, line] :
         {std::pair(text.str(), "Lengths      in metres, as in the file\n"),
          std::pair(inches,
                    "Lengths      in inches, as in the file; "
                    "'Mesh/Scale' = 0.0254 makes metres of them\n")})
      {
        const TemporaryFile file("boxes.step", content);
        auto parameters = file_parameters(file.path);
        parameters.set("Mesh/Element size", "1");
        std::ostringstream out;
        mesh_body(parameters, folder.path, out);
        EXPECT_NE(out.str().find(line), std::string::npos) << out.str();
        Mesh<3> mesh;
        make_mesh(mesh, parameters);
        EXPECT_NEAR(measure(mesh), 6., 1e-6);
      }
  }

  /// The side at x = 0 has a name of its own; two others have one together.
  /// Where a file moves its parts, names are not trusted to their places.
  TEST(MeshBody, FacesOfStepKeepTheirNames)
  {
    const auto read = [](const std::string &path) {
      std::ifstream in(path);
      std::stringstream text;
      text << in.rdbuf();
      return text.str();
    };
    std::string moved =
      read(TESSERA_SOURCE_DIR "/tests/applications/poisson/boxes.step");
    const std::string face = "ADVANCED_FACE('";
    moved.insert(moved.find(face) + face.size(), "the wall");
    const TemporaryFolder folder("names");
    for (const auto &[content, note, n_named] :
         {std::tuple(read(meshes + "named.step"),
                     "2 of 3 names of faces are not used: several", 1u),
          std::tuple(moved,
                     "1 of 1 names of faces are not used, since the file moves",
                     0u)})
      {
        const TemporaryFile file("named.step", content);
        auto parameters = file_parameters(file.path);
        parameters.set("Mesh/Element size", "1");
        std::ostringstream out;
        mesh_body(parameters, folder.path, out);
        EXPECT_NE(out.str().find(note), std::string::npos) << out.str();
        Mesh<3> mesh;
        make_mesh(mesh, parameters);
        ASSERT_EQ(mesh.boundary_names.size(), n_named);
        if (n_named == 0)
          continue;
        ASSERT_EQ(mesh.boundary_names.begin()->first, "the wall");
        const auto &ids = mesh.boundary_names.begin()->second;
        for (const auto &cell : mesh.triangulation().active_cell_iterators())
          for (const auto &its : cell->face_iterators())
            if (its->at_boundary())
              {
                EXPECT_EQ(ids.count(its->boundary_id()) == 1,
                          std::abs(its->center()[0]) < 1e-9);
              }
      }
  }

  /// Random triangles, bytes and truncations end with a sentence, and the mesh
  /// of an earlier run remains.
  TEST(MeshBody, DamagedSurfacesAreRefused)
  {
    const TemporaryFolder folder("damaged");
    std::filesystem::create_directories(folder.path);
    const std::string earlier = folder.path + "/mesh.msh";
    std::ofstream(earlier) << "earlier";
    const auto error = [&](const std::string &content) {
      const TemporaryFile file("damaged.stl", content);
      auto parameters = file_parameters(file.path);
      std::ostringstream out;
      return error_of([&] { mesh_body(parameters, folder.path, out); });
    };
    Triangles triangles;
    add_cube(triangles, {{0., 0., 0.}}, 1.);
    const std::string cube = binary_stl(triangles);
    EXPECT_NE(error(cube.substr(0, cube.size() - 1)).find("no complete file"),
              std::string::npos);
    Triangles twice = triangles;
    twice.insert(twice.end(), triangles.begin(), triangles.begin() + 1);
    EXPECT_NE(error(binary_stl(twice)).find("has a triangle twice, around ("),
              std::string::npos)
      << error(binary_stl(twice));
    Triangles infinite = triangles;
    infinite[3][1][2]  = INFINITY;
    EXPECT_NE(error(binary_stl(infinite)), "");
    std::mt19937 random(7);
    Triangles soup = triangles;
    for (auto &triangle : soup)
      for (auto &point : triangle)
        for (double &x : point)
          x = random() / 4294967296.;
    EXPECT_NE(error(binary_stl(soup)).find("is open: 36 edges"),
              std::string::npos);
    std::ifstream in(earlier);
    std::string word;
    in >> word;
    EXPECT_EQ(word, "earlier");
  }

  /// The command in the message makes a mesh of one type of cells.
  TEST(MeshBody, TheCommandThatDividesMixedCells)
  {
    if (std::system("command -v gmsh > /dev/null") != 0)
      GTEST_SKIP() << "there is no program gmsh";
    const TemporaryFile file(
      ".msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 "
      "0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n$EndNodes\n$Elements\n3\n1 3 2 7 1 "
      "1 2 3 4\n2 2 2 8 2 2 5 3\n3 1 2 9 3 1 4\n$EndElements\n");
    const std::string error = mesh_error(file_parameters(file.path));
    const auto first = error.find("echo"), last = error.rfind('.');
    ASSERT_LT(first, last) << error;
    const TemporaryFolder folder("mixed_cells");
    std::filesystem::create_directories(folder.path);
    const std::string command = error.substr(first, last - first);
    ASSERT_EQ(
      std::system(("cd " + folder.path + " && " + command + " > log").c_str()),
      0)
      << command;
    Mesh<2> mesh;
    make_mesh(mesh, file_parameters(folder.path + "/all.msh"));
    EXPECT_EQ(mesh.cell_type(), CellType::quadrilateral);
    EXPECT_EQ(mesh.triangulation().n_active_cells(), 7u);
    EXPECT_NEAR(measure(mesh), 1.5, 1e-12);
    EXPECT_EQ(mesh.list_boundaries(), "0, 9");
  }
} // namespace

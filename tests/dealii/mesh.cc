#include <tessera/base/error.h>
#include <tessera/dealii/boundary_conditions.h>
#include <tessera/dealii/flatten.h>
#include <tessera/dealii/mesh.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q1.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace
{
  using namespace tessera;

  struct Declared : Parameters
  {
    Declared()
    {
      declare_mesh(*this);
      BoundaryConditions::declare(*this);
    }
  };

  std::string
  mesh_error(const Parameters &parameters)
  {
    Mesh mesh;
    try
      {
        make_mesh(mesh, parameters);
        BoundaryConditions(parameters).check(mesh);
      }
    catch (const Error &error)
      {
        return std::to_string(static_cast<int>(error.exit_code())) + ' ' +
               error.what();
      }
    return "";
  }

  void
  expect_contains(const std::string &text, const std::string &part)
  {
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }

  const std::string plate = TESSERA_SOURCE_DIR "/prm/poisson/plate.msh";

  /// Error of a mesh file with this text.
  std::string
  file_error(const std::string &text)
  {
    const auto path = std::filesystem::temp_directory_path() /
                      ("tessera_mesh_test_" +
                       std::to_string(std::hash<std::string>()(text)) + ".msh");
    std::ofstream(path) << text;
    Declared parameters;
    parameters.set("Mesh/Type", "file");
    parameters.set("Mesh/File", path.string());
    parameters.set("Boundary conditions/Remaining boundaries", "natural");
    parameters.set("Boundary conditions/Dirichlet 1/Boundaries", "0");
    const std::string error = mesh_error(parameters);
    std::filesystem::remove(path);
    return error;
  }

  /// A 2.2 file of one cell whose third and fourth corners are given.
  std::string
  one_cell(const std::string &third, const std::string &fourth,
           const std::string &element = "1 3 2 0 1 1 2 3 4")
  {
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n"
           "1 0 0 0\n2 1 0 0\n3 " +
           third + "\n4 " + fourth + "\n$EndNodes\n$Elements\n1\n" + element +
           "\n$EndElements\n";
  }


  TEST(Mesh, EveryGridExampleIsMadeOfQuadrilaterals)
  {
    for (const auto &grid : grid_examples())
      {
        SCOPED_TRACE(grid.name);
        Declared parameters;
        parameters.set("Mesh/Grid name", grid.name);
        parameters.set("Mesh/Grid arguments", grid.arguments);
        parameters.set("Mesh/Initial refinement", "1");
        parameters.set("Mesh/Distortion", "0.2");
        Mesh mesh;
        EXPECT_NO_THROW(make_mesh(mesh, parameters));
        EXPECT_GE(mesh.triangulation.n_active_cells(), 4u);
      }
  }


  TEST(Mesh, UnknownGridAndArguments)
  {
    Declared parameters;
    parameters.set("Mesh/Grid name", "hyper_cub");
    expect_contains(mesh_error(parameters), "2 There is no grid 'hyper_cub'");
    expect_contains(mesh_error(parameters), "did you mean 'hyper_cube'?");
    parameters.set("Mesh/Grid name", "hyper_L");
    parameters.set("Mesh/Grid arguments", "nonsense");
    expect_contains(mesh_error(parameters),
                    "2 The value 'nonsense' of 'Mesh/Grid "
                    "arguments' does not fit");
    expect_contains(mesh_error(parameters), "-1 : 1 : false");
  }


  TEST(Mesh, DistortionIsSeededAndKeepsTheBoundary)
  {
    Declared parameters;
    parameters.set("Mesh/Distortion", "0.2");
    Mesh one, same, other, regular;
    make_mesh(one, parameters);
    make_mesh(same, parameters);
    parameters.set("Mesh/Distortion seed", "2");
    make_mesh(other, parameters);
    parameters.set("Mesh/Distortion", "0");
    make_mesh(regular, parameters);
    const auto &a = one.triangulation.get_vertices();
    EXPECT_EQ(a, same.triangulation.get_vertices());
    EXPECT_NE(a, other.triangulation.get_vertices());
    for (std::size_t i = 0; i < a.size(); ++i)
      {
        const auto &p       = regular.triangulation.get_vertices()[i];
        const bool boundary = p[0] * p[1] * (1 - p[0]) * (1 - p[1]) == 0.;
        EXPECT_EQ(a[i] == p, boundary);
      }
  }


  TEST(Mesh, ReadsNamesOfBothFormats)
  {
    Declared parameters;
    parameters.set("Mesh/Type", "file");
    parameters.set("Mesh/File", plate);
    parameters.set("Mesh/Initial refinement", "0");
    Mesh mesh;
    make_mesh(mesh, parameters);
    EXPECT_EQ(mesh.list_boundaries(),
              "1 ('outer'), 2 ('hot holes'), 3 ('cold hole'), "
              "4 ('free holes')");
    EXPECT_GT(mesh.triangulation.n_active_cells(), 500u);
    // Area: 3 x 2 with corners of radius 0.15, less the six holes.
    double area = 0.;
    for (const auto &cell : mesh.triangulation.active_cell_iterators())
      area += cell->measure();
    const double pi = dealii::numbers::PI;
    EXPECT_NEAR(area,
                6. - (4. - pi) * 0.15 * 0.15 -
                  pi * (0.28 * 0.28 + 0.2 * 0.2 + 0.32 * 0.22 + 0.24 * 0.24 +
                        0.34 * 0.34 + 0.22 * 0.22),
                0.03);
    const std::string header = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    EXPECT_EQ(file_error(header +
                         "$PhysicalNames\n1\n1 0 \"all of it\"\n"
                         "$EndPhysicalNames\n" +
                         one_cell("1 1 0", "0 1 0").substr(header.size())),
              "");
  }


  TEST(Mesh, BadFiles)
  {
    Declared parameters;
    parameters.set("Mesh/Type", "file");
    parameters.set("Mesh/File", "missing.msh");
    expect_contains(mesh_error(parameters),
                    "3 Cannot read the mesh file 'missing.msh'");

    EXPECT_EQ(file_error(one_cell("1 1 0", "0 1 0")), "");
    expect_contains(file_error(one_cell("0.2 0.2 0", "0 1 0")),
                    "has an inverted or degenerate cell around");
    expect_contains(file_error(one_cell("0 1 0", "1 1 0")), "3 The mesh file");
    expect_contains(file_error(one_cell("1 1 0", "0 1 0", "1 2 2 0 1 1 2 3")),
                    "not quadrilaterals");
    expect_contains(file_error("not a mesh"), "gmsh's text format");

    std::ifstream in(plate);
    std::ostringstream text;
    text << in.rdbuf();
    for (const double part : {0.1, 0.4, 0.7, 0.99})
      expect_contains(file_error(text.str().substr(
                        0, static_cast<std::size_t>(part * text.str().size()))),
                      "truncated");
  }


  TEST(Mesh, Boundaries)
  {
    Declared parameters;
    parameters.set("Mesh/Grid arguments", "0 : 1 : true");
    expect_contains(mesh_error(parameters), "3 There is no Dirichlet boundary");
    parameters.set("Boundary conditions/Dirichlet 1/Boundaries", "0, 1, 7");
    expect_contains(mesh_error(parameters),
                    "3 The boundary '7' of "
                    "'Boundary conditions/Dirichlet "
                    "1/Boundaries' does not exist");
    expect_contains(mesh_error(parameters), "has 0, 1, 2, 3");
    parameters.set("Boundary conditions/Dirichlet 1/Boundaries", "0, 1, 3");
    expect_contains(mesh_error(parameters), "3 The boundary 2 of");
    parameters.set("Boundary conditions/Remaining boundaries", "natural");
    EXPECT_EQ(mesh_error(parameters), "");
    parameters.set("Boundary conditions/Remaining boundaries", "error");
    parameters.set("Boundary conditions/Dirichlet 8/Boundaries", "2");
    EXPECT_EQ(mesh_error(parameters), "");

    parameters.set("Mesh/Type", "file");
    parameters.set("Mesh/File", plate);
    parameters.set("Boundary conditions/Dirichlet 1/Boundaries", "outer, hot");
    expect_contains(mesh_error(parameters), "3 The boundary 'hot'");
    expect_contains(mesh_error(parameters), "2 ('hot holes')");
    parameters.set("Boundary conditions/Dirichlet 8/Boundaries", "4");
    parameters.set("Boundary conditions/Dirichlet 1/Boundaries",
                   "outer, hot holes, cold hole");
    EXPECT_EQ(mesh_error(parameters), "");
  }


  /// Node i of a cell stands where the Gauss-Lobatto points say, on a mesh
  /// whose cells deal.II has turned around.
  TEST(Flatten, NodesStandAtTheirPlaces)
  {
    Declared parameters;
    parameters.set("Mesh/Type", "file");
    parameters.set("Mesh/File", plate);
    parameters.set("Mesh/Initial refinement", "0");
    parameters.set("Boundary conditions/Remaining boundaries", "natural");
    parameters.set("Boundary conditions/Dirichlet 1/Boundaries", "outer");
    parameters.set("Boundary conditions/Dirichlet 1/Function expression",
                   "x+2*y");
    Mesh mesh;
    make_mesh(mesh, parameters);
    const BoundaryConditions conditions(parameters);

    for (int degree = 1; degree <= 4; ++degree)
      {
        SCOPED_TRACE(degree);
        const dealii::FE_Q<2> fe(degree);
        dealii::DoFHandler<2> dofs(mesh.triangulation);
        dofs.distribute_dofs(fe);
        const FlatProblem flat =
          flatten(dofs, conditions.constraints(mesh, dofs));
        const Connectivity &c = flat.connectivity;
        std::vector<dealii::Point<2>> support(dofs.n_dofs());
        dealii::DoFTools::map_dofs_to_support_points(dealii::MappingQ1<2>(),
                                                     dofs, support);
        const auto points = dealii::QGaussLobatto<1>(degree + 1).get_points();

        ASSERT_EQ(c.n_cells(),
                  static_cast<int>(mesh.triangulation.n_active_cells()));
        ASSERT_EQ(c.n_dofs, static_cast<int>(dofs.n_dofs()));
        EXPECT_EQ(c.n_vertices,
                  static_cast<int>(mesh.triangulation.n_used_vertices()));
        const double tolerance =
          16. * 3. * std::numeric_limits<double>::epsilon();
        const int n = degree + 1;
        for (int cell = 0; cell < c.n_cells(); ++cell)
          for (int i = 0; i < n * n; ++i)
            {
              const double xi[2] = {points[i % n][0], points[i / n][0]};
              const auto &p      = support[c.cell_dofs[cell * n * n + i]];
              for (int d = 0; d < 2; ++d)
                {
                  double x = 0.;
                  for (int v = 0; v < 4; ++v)
                    x += (v % 2 ? xi[0] : 1 - xi[0]) *
                         (v / 2 ? xi[1] : 1 - xi[1]) *
                         c.vertices[2 * c.cell_vertices[4 * cell + v] + d];
                  ASSERT_NEAR(p[d], x, tolerance);
                }
            }
        int n_constrained = 0;
        for (int i = 0; i < c.n_dofs; ++i)
          {
            n_constrained += c.constrained[i];
            ASSERT_NEAR(flat.boundary_values[i],
                        c.constrained[i] ? support[i][0] + 2 * support[i][1]
                                         : 0.,
                        7 * tolerance);
          }
        int n_faces = 0;
        for (const auto &face : mesh.triangulation.active_face_iterators())
          n_faces += face->at_boundary() && face->boundary_id() == 1;
        EXPECT_EQ(n_constrained, n_faces * degree);
      }
  }
} // namespace

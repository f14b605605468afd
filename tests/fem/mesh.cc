#include "mesh_cases.h"
#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/distributed/distributed_mesh.h>

#include <deal.II/base/numbers.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>

#include <chrono>
#include <cmath>
#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  MeshParameters
  grid(const std::string &name, const std::string &arguments,
       const std::string &cell_type = "auto", const int refinement = 0)
  {
    MeshParameters parameters;
    parameters.set("Mesh/Grid name", name);
    parameters.set("Mesh/Grid arguments", arguments);
    parameters.set("Mesh/Cell type", cell_type);
    parameters.set("Mesh/Initial refinement", std::to_string(refinement));
    return parameters;
  }

  /// Examples as they are, as simplices, refined and distorted must have the
  /// right type, the grid's boundary ids, valid cells and the same measure.
  template <int dim>
  void
  try_examples(const std::string &simplex)
  {
    for (const auto &example : grid_examples(dim))
      {
        SCOPED_TRACE(example.name);
        auto parameters = grid(example.name, example.arguments, "auto", 1);
        parameters.set("Mesh/Dimension", std::to_string(dim));
        EXPECT_EQ(mesh_dimension(parameters), dim);
        Mesh<dim> mesh, simplices, distorted;
        ASSERT_NO_THROW(make_mesh(mesh, parameters));
        EXPECT_EQ(mesh.triangulation().n_global_active_cells() % (1 << dim),
                  0u);
        EXPECT_FALSE(is_simplex(mesh.cell_type()));

        parameters.set("Mesh/Distortion", "0.25");
        make_mesh(distorted, parameters);
        parameters.set("Mesh/Cell type", simplex);
        ASSERT_NO_THROW(make_mesh(simplices, parameters));
        EXPECT_EQ(to_string(simplices.cell_type()), simplex);
        EXPECT_EQ(simplices.triangulation().n_active_cells(),
                  (dim == 2 ? 2 : 6) * mesh.triangulation().n_active_cells());
        EXPECT_EQ(simplices.list_boundaries(), mesh.list_boundaries());
        EXPECT_EQ(material_ids(simplices.triangulation()),
                  material_ids(mesh.triangulation()));
        EXPECT_FALSE(simplices.curved);
        // Moving interior vertices keeps the domain. Hexahedra whose boundary
        // faces are bent differ from tetrahedra, and deal.II measures them by
        // their corners alone.
        EXPECT_NEAR(measure(distorted), measure(mesh), 2e-2 * measure(mesh));
        EXPECT_NEAR(measure(simplices), measure(mesh), 2e-2 * measure(mesh));
        for (const auto &cell :
             distorted.triangulation().active_cell_iterators())
          {
            std::vector<dealii::Point<dim>> corners;
            for (const unsigned int v : cell->vertex_indices())
              corners.push_back(cell->vertex(v));
            ASSERT_GT(cell_quality<dim>(distorted.cell_type(), corners), 0.);
          }
      }
  }


  TEST(Mesh, EveryGridOfTwoDimensions)
  {
    try_examples<2>("triangle");
  }


  TEST(Mesh, EveryGridOfThreeDimensions)
  {
    try_examples<3>("tetrahedron");
  }


  TEST(Mesh, Dimension)
  {
    EXPECT_EQ(mesh_dimension(grid("hyper_cube", "0 : 1 : false")), 2);
    EXPECT_EQ(mesh_dimension(grid("cylinder", "1 : 1")), 3);
    EXPECT_EQ(mesh_dimension(grid("hyper_ball", "0, 0 : 1 : true")), 2);
    EXPECT_EQ(mesh_dimension(grid("hyper_ball", "0, 0, 0 : 1 : true")), 3);
    EXPECT_EQ(
      mesh_dimension(grid("hyper_cube", "0 : 1 : false", "tetrahedron")), 3);
    EXPECT_EQ(mesh_dimension(file_parameters(plate)), 2);
    EXPECT_EQ(mesh_dimension(file_parameters(meshes + "box_hexahedron.unv")),
              3);
    auto parameters = grid("hyper_cube", "0 : 1 : false", "triangle");
    parameters.set("Mesh/Dimension", "3");
    expect_contains(mesh_error(parameters),
                    "2 'Mesh/Dimension' = 3 contradicts 'Mesh/Cell type' = "
                    "triangle.");
    parameters = grid("cylinder", "1 : 1");
    parameters.set("Mesh/Dimension", "2");
    expect_contains(mesh_error(parameters),
                    "2 The grid 'cylinder' of 'Mesh/Grid "
                    "name' does not exist in 2");
  }


  TEST(Mesh, UnknownGridAndArguments)
  {
    expect_contains(mesh_error(grid("hyper_cub", "0 : 1 : false")),
                    "2 There is no grid 'hyper_cub'");
    expect_contains(mesh_error(grid("hyper_cub", "0 : 1 : false")),
                    "did you mean 'hyper_cube'?");
    // Some of these would make deal.II crash, or make a mesh of millions of
    // cells.
    const std::pair<std::string, std::string> bad[] = {
      {"hyper_L", "nonsense"},
      {"hyper_cube", ""},
      {"hyper_cube", "0 : 1"},
      {"hyper_cube", "0 : 1 : false : false"},
      {"hyper_cube", "nan : 1 : false"},
      {"hyper_cube", "0 : 1e300 : false"},
      {"hyper_cube", "0 : 1 : perhaps"},
      {"hyper_cube", "0, 1 : 1 : false"},
      {"subdivided_hyper_cube", "-3 : 0 : 1 : false"},
      {"subdivided_hyper_cube", "0 : 0 : 1 : false"},
      {"subdivided_hyper_cube", "1.5 : 0 : 1 : false"},
      {"hyper_cube", "1 : 0 : false"},
      {"channel_with_cylinder", "0.2 : 2 : 2.0 : false"},
      {"plate_with_a_hole",
       "2.4 : 1 : 2 : 2 : 2 : 2 : 0, 0 : 0 : 1 : 1 : 2 : false"},
      {"subdivided_hyper_cube", "4 : 1 : 1 : false"},
      {"subdivided_hyper_rectangle", "1 : 0, 0 : 1, 1 : false"},
      {"simplex", "0, 0 ; 1, 0"},
      {"hyper_shell", "0, 0 : 0.5 : 1 : 99999999999 : true"},
      {"concentric_hyper_shells", "0, 0 : 0.5 : 1 : 0 : 0 : 0 : false"},
      {"plate_with_a_hole",
       "0.4 : 1 : -2 : 2 : 2 : 2 : 0, 0 : 0 : 1 : 1 : 2 : false"},
      {"plate_with_a_hole",
       "0.4 : 1 : 1e9 : 2 : 2 : 2 : 0, 0 : 0 : 1 : 1 : 2 : false"}};
    for (const auto &[name, arguments] : bad)
      expect_contains(mesh_error(grid(name, arguments)),
                      "2 The value '" + arguments +
                        "' of 'Mesh/Grid arguments' does not fit the grid " +
                        name + " in 2 dimensions; these do, for example: '");
    expect_contains(
      mesh_error(grid("hyper_ball", "0, 0 : 0 : false")),
      "3 The grid hyper_ball(0, 0 : 0 : false) has an inverted or "
      "degenerate cell, number 0 around (0, 0).");
    EXPECT_NE(mesh_error(grid("hyper_shell", "0, 0 : 1 : 0.5 : 8 : true")), "");
    EXPECT_NE(mesh_error(grid("hyper_shell", "0, 0 : 0.5 : 1 : 2 : true")), "");
  }


  TEST(Mesh, MemoryIsFinite)
  {
    for (const auto &parameters :
         {grid("subdivided_hyper_cube", "999999 : 0 : 1 : false"),
          grid("subdivided_hyper_cube", "100 : 0 : 1 : false", "hexahedron",
               14)})
      expect_contains(mesh_error(parameters),
                      "6 The grid subdivided_hyper_cube");
  }


  TEST(Mesh, DistortionIsSeededAndKeepsTheBoundary)
  {
    for (const std::string type : {"hexahedron", "tetrahedron"})
      {
        auto parameters = grid("hyper_cube", "0 : 1 : false", type, 2);
        Mesh<3> one, same, other, regular;
        make_mesh(regular, parameters);
        parameters.set("Mesh/Distortion", "0.2");
        make_mesh(one, parameters);
        make_mesh(same, parameters);
        parameters.set("Mesh/Distortion seed", "2");
        make_mesh(other, parameters);
        const auto &a = one.triangulation().get_vertices();
        EXPECT_EQ(a, same.triangulation().get_vertices());
        for (std::size_t i = 0; i < a.size(); ++i)
          {
            const auto &p = regular.triangulation().get_vertices()[i];
            const auto &q = other.triangulation().get_vertices()[i];
            const bool boundary =
              p[0] * p[1] * p[2] * (1 - p[0]) * (1 - p[1]) * (1 - p[2]) == 0.;
            EXPECT_EQ(a[i] == p, boundary);
            EXPECT_EQ(a[i] == q, boundary);
            // The shortest edges have length 1/4.
            EXPECT_LE(a[i].distance(p), 0.05 * (1. + 1e-14));
          }
      }
  }


  /// The area of the disk, by a curved mapping, converges with order 2p.
  TEST(Mesh, CurvedMeshesHaveCurvedMappings)
  {
    for (const std::string type : {"quadrilateral", "triangle"})
      {
        std::map<int, double> errors;
        for (const int degree : {1, 2, 4})
          {
            Mesh<2> mesh;
            make_mesh(mesh, grid("hyper_ball", "0, 0 : 1 : false", type, 3));
            EXPECT_EQ(mesh.curved, type == "quadrilateral");
            if (!mesh.curved)
              {
                // All corners on the boundary must lie on the circle.
                for (const auto &face :
                     mesh.triangulation().active_face_iterators())
                  if (face->at_boundary())
                    {
                      EXPECT_NEAR(face->vertex(0).norm(), 1., 1e-14);
                    }
                continue;
              }
            const auto mapping = mesh.make_mapping(degree);
            const dealii::QGauss<2> rule(degree + 2);
            const dealii::FE_Q<2> fe(1);
            dealii::FEValues<2> values(*mapping, fe, rule,
                                       dealii::update_JxW_values);
            double area = 0.;
            for (const auto &cell :
                 mesh.triangulation().active_cell_iterators())
              {
                values.reinit(cell);
                for (const double JxW : values.get_JxW_values())
                  area += JxW;
              }
            errors[degree] = std::abs(area - dealii::numbers::PI);
          }
        if (type == "quadrilateral")
          {
            // A polygon of n = 2^5 sides lacks an area of 2 pi^3 / (3 n^2).
            EXPECT_NEAR(errors[1],
                        2. * std::pow(dealii::numbers::PI, 3) / 3. / 1024.,
                        1e-3);
            EXPECT_LT(errors[2], 1e-4);
            EXPECT_LT(errors[4], 1e-8);
          }
      }
  }


  TEST(Mesh, Degrees)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron,
                                CellType::triangle, CellType::tetrahedron})
      for (const int degree : {0, 1, 2, 3, 4, 5})
        {
          const bool legal = degree > 0 && degree <= (is_simplex(type) ? 2 : 4);
          const std::string error =
            error_of([=] { check_degree(type, degree); });
          EXPECT_EQ(error.empty(), legal) << error;
        }
    expect_contains(
      error_of([] { check_degree(CellType::triangle, 3); }),
      "2 Degree 3 of 'Finite element/Degrees' is not available for "
      "a mesh of type triangle, whose elements have nodes at "
      "vertices and middles of edges only; legal are 1 to 2.");
  }


  TEST(Mesh, PartsAreThoseWithCommonVertices)
  {
    Mesh<2> mesh;
    mesh.source = "mesh";
    dealii::Triangulation<2> squares[3];
    for (const int i : {0, 1, 2})
      {
        dealii::GridGenerator::hyper_cube(squares[i], i, i + 1.);
        dealii::GridTools::shift(dealii::Point<2>(i == 2 ? 3. : 0., 0.),
                                 squares[i]);
      }
    const std::vector<const dealii::Triangulation<2> *> all = {
      &squares[0], &squares[1], &squares[2]};
    dealii::GridGenerator::merge_triangulations(all, mesh.triangulation(),
                                                1e-12);
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      cell->face(0)->set_boundary_id(cell->active_cell_index());
    EXPECT_EQ(connected_parts(mesh), (std::vector<int>{0, 0, 1}));
    EXPECT_NO_THROW(check_connected_parts(mesh, {1, 2}));
    EXPECT_NO_THROW(check_connected_parts(mesh, {0}));
    expect_contains(
      error_of([&mesh] { check_connected_parts(mesh, {1}); }),
      "3 The mesh consists of 2 parts without common vertices, and "
      "the part of the cell 2 around (5.5, 2.5) has no boundary");
  }


  TEST(Mesh, SummaryCountsEverything)
  {
    auto parameters = file_parameters(meshes + "box_quadrilateral_41_text.msh");
    Mesh<2> mesh;
    make_mesh(mesh, parameters);
    std::ostringstream out;
    print_summary(mesh, out);
    const std::string text = out.str();
    EXPECT_EQ(text.substr(text.find('\n') + 1),
              "Cells        4 of type quadrilateral\n"
              "Vertices     9\n"
              "Boundaries   0: 4 faces\n"
              "             11 'left': 2 faces\n"
              "             12 'right': 2 faces\n"
              "Materials    21 'copper': 2 cells\n"
              "             22 'steel': 2 cells\n"
              "Bounding box (0, 0) to (1, 1)\n"
              "Worst cell   0 around (0.25, 0.25), quality 1.00 (1 is best)\n");
  }

  /// Time grows as the number of cells does.
  TEST(MeshOfFile, HasManyCells)
  {
    const int n = 400;
    std::ostringstream nodes, cells;
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
        nodes << 1 + i + (n + 1) * j << ' ' << i << ' ' << j << " 0\n";
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        {
          const int a = 1 + i + (n + 1) * j, b = a + n + 1;
          cells << 2 * a << " 2 2 1 1 " << a << ' ' << a + 1 << ' ' << b << '\n'
                << 2 * a + 1 << " 2 2 1 1 " << a + 1 << ' ' << b + 1 << ' ' << b
                << '\n';
        }
    const TemporaryFile file(
      ".msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" +
                std::to_string((n + 1) * (n + 1)) + '\n' + nodes.str() +
                "$EndNodes\n$Elements\n" + std::to_string(2 * n * n) + '\n' +
                cells.str() + "$EndElements\n");
    Mesh<2> mesh;
    const auto begin = std::chrono::steady_clock::now();
    make_mesh(mesh, file_parameters(file.path));
    EXPECT_EQ(mesh.n_cells(), 2 * n * n);
    // A second is needed; what grows with the square takes minutes.
    EXPECT_LT(std::chrono::steady_clock::now() - begin,
              std::chrono::seconds(60));
  }
} // namespace

#include "../../source/fem/output/vtu_cells.h"

#include <tessera/base/error.h>
#include <tessera/fem/mesh/mesh_file.h>
#include <tessera/fem/output/solution_writer.h>

#include <deal.II/base/function.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/vector_tools_interpolate.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

#include "bytes.h"

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  const std::string folder = testing::TempDir() + "tessera_solution_writer";

  /// Returns "points cells" of a file.
  std::string
  sizes(const std::string &name)
  {
    const std::string all = load_bytes(folder + '/' + name);
    std::smatch match;
    const std::regex piece(
      "NumberOfPoints=\"(\\d+)\" NumberOfCells=\"(\\d+)\"");
    EXPECT_TRUE(std::regex_search(all, match, piece)) << name;
    EXPECT_NE(all.find("</VTKFile>"), std::string::npos) << name;
    return match[1].str() + ' ' + match[2].str();
  }

  template <int dim>
  void
  write(const dealii::Mapping<dim> &mapping,
        const dealii::Triangulation<dim> &mesh,
        const dealii::FiniteElement<dim> &fe, const int subdivisions)
  {
    std::filesystem::create_directories(folder);
    dealii::DoFHandler<dim> dof_handler(mesh);
    dof_handler.distribute_dofs(fe);
    const dealii::Vector<double> u(dof_handler.n_dofs()),
      k(mesh.n_active_cells());
    SolutionWriter<dim> writer(folder);
    EXPECT_EQ(writer.file(), "");
    writer.write({mapping, dof_handler}, {{{"u", u}}, {{"kappa", k}}},
                 subdivisions, "case");
    EXPECT_EQ(writer.file(), folder + "/solution.pvd");
    EXPECT_TRUE(std::filesystem::exists(writer.file()));
  }

  TEST(SolutionWriter, Quadrilaterals)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::subdivided_hyper_cube(mesh, 3);
    write<2>(dealii::MappingQ<2>(1), mesh, dealii::FE_Q<2>(3), 3);
    EXPECT_EQ(sizes("case.vtu"), "100 81");         // 9 cells of 3^2 parts
    EXPECT_EQ(sizes("case_boundary.vtu"), "36 36"); // 12 faces of 3 parts
  }

  TEST(SolutionWriter, StepsOfASeries)
  {
    std::filesystem::create_directories(folder);
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::hyper_cube(mesh);
    dealii::DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    const dealii::Vector<double> u(dof_handler.n_dofs());
    SolutionWriter<2> writer(folder);
    for (const std::string step : {"0", "1"})
      writer.write_step({dealii::MappingQ<2>(1), dof_handler}, {{{"u", u}}, {}},
                        1, "step_" + step, "series", 2.5 * std::stod(step));
    EXPECT_EQ(writer.file(), "") << "no solution";
    EXPECT_EQ(sizes("step_1.vtu"), "4 1");
    EXPECT_FALSE(std::filesystem::exists(folder + "/step_1_boundary.vtu"));
    const std::string text = load_bytes(folder + "/series.pvd");
    const std::regex last(
      "timestep=\"0\"[^]*step_0.vtu[^]*timestep=\"2.5\"[^]*step_1.vtu");
    EXPECT_TRUE(std::regex_search(text, last)) << text;
  }

  TEST(SolutionWriter, Hexahedra)
  {
    dealii::Triangulation<3> mesh;
    dealii::GridGenerator::subdivided_hyper_cube(mesh, 2);
    write<3>(dealii::MappingQ<3>(1), mesh, dealii::FE_Q<3>(2), 2);
    EXPECT_EQ(sizes("case.vtu"), "125 64");
    EXPECT_EQ(sizes("case_boundary.vtu"), "98 96"); // 24 faces of 4 parts
  }

  TEST(SolutionWriter, Triangles)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::subdivided_hyper_cube_with_simplices(mesh, 2);
    const dealii::MappingFE<2> mapping(dealii::FE_SimplexP<2>(1));
    write<2>(mapping, mesh, dealii::FE_SimplexP<2>(1), 1);
    EXPECT_EQ(sizes("case.vtu"), "9 8");
    write<2>(mapping, mesh, dealii::FE_SimplexP<2>(2), 5);
    EXPECT_EQ(sizes("case.vtu"), "25 8"); // quadratic triangles
    EXPECT_EQ(sizes("case_boundary.vtu"), "16 16");
  }

  TEST(SolutionWriter, Tetrahedra)
  {
    dealii::Triangulation<3> mesh;
    dealii::GridGenerator::subdivided_hyper_cube_with_simplices(mesh, 1);
    const dealii::MappingFE<3> mapping(dealii::FE_SimplexP<3>(1));
    write<3>(mapping, mesh, dealii::FE_SimplexP<3>(1), 1);
    EXPECT_EQ(sizes("case.vtu"), "8 5");
    EXPECT_EQ(sizes("case_boundary.vtu"), "8 12");
    write<3>(mapping, mesh, dealii::FE_SimplexP<3>(2), 2);
    EXPECT_EQ(sizes("case.vtu"), "26 5");
    EXPECT_EQ(sizes("case_boundary.vtu"), "26 12");
  }

  template <int dim>
  struct Vectors : dealii::Function<dim>
  {
    std::function<double(const dealii::Point<dim> &, int)> formula;

    explicit Vectors(const decltype(formula) &formula)
      : dealii::Function<dim>(dim), formula(formula)
    {}

    double
    value(const dealii::Point<dim> &p, const unsigned int a) const override
    {
      return formula(p, a);
    }
  };


  /// Points are where the mapping has them, fields have the values that
  /// deal.II's own writer gives them there, and a polynomial that the element
  /// contains has its own: in scalars, vectors and fields of cells.
  template <int dim>
  void
  compare(const dealii::Mapping<dim> &mapping,
          const dealii::Triangulation<dim> &mesh,
          const dealii::FiniteElement<dim> &fe, const int n,
          const bool is_curved = false)
  {
    std::filesystem::create_directories(folder);
    const auto f = [&](const dealii::Point<dim> &p, const int a) {
      double value = 1.;
      for (int d = 0; d < dim; ++d)
        value +=
          (d + 1.5 * a + 2) * (is_curved ? p[d] : std::pow(p[d], fe.degree));
      return value;
    };
    dealii::DoFHandler<dim> vectors(mesh);
    vectors.distribute_dofs(dealii::FESystem<dim>(fe, dim));
    dealii::Vector<double> u(vectors.n_dofs());
    dealii::VectorTools::interpolate(mapping, vectors, Vectors<dim>(f), u);
    const auto scalars = std::make_shared<dealii::DoFHandler<dim>>(mesh);
    scalars->distribute_dofs(fe);
    dealii::Vector<double> v(scalars->n_dofs()), k(mesh.n_active_cells());
    for (const auto &cell : mesh.active_cell_iterators())
      k[cell->active_cell_index()] = f(cell->center(), 0);
    dealii::VectorTools::interpolate(
      mapping, *scalars,
      dealii::ScalarFunctionFromFunctionObject<dim>(
        [&](const dealii::Point<dim> &p) { return f(p, 0); }),
      v);
    const typename SolutionWriter<dim>::Fields fields = {{{"u", u}, {"v", v}},
                                                         {{"k", k}}};
    SolutionWriter<dim> writer(folder);
    writer.write({mapping, vectors}, fields, n, "case");

    const MeshFile file =
      parse_mesh(load_bytes(folder + "/case.vtu"), "vtu", "file");
    Mesh<dim> read; // whose cells are none if their corners are in disorder
    build_mesh(read, file);
    for (const auto &cell : read.triangulation().active_cell_iterators())
      EXPECT_EQ(cell->material_id(), mesh.begin_active()->material_id());

    struct Reference : dealii::DataOut<dim>
    {
      using dealii::DataOut<dim>::get_patches;
    } reference;
    reference.attach_dof_handler(*scalars);
    reference.add_data_vector(v, "v");
    reference.build_patches(mapping,
                            is_simplex(read.cell_type()) ? std::min(n, 2) : n);
    const auto &patches = reference.get_patches();
    const VtuGrid grid =
      VtuCells<dim>(CellNodes<dim>(mapping, vectors), fields, n).grid();
    ASSERT_EQ(grid.of_points.size(), 2u);
    EXPECT_EQ(grid.of_points[0].n_components, 3);
    const std::size_t n_points = grid.points.size() / 3;
    ASSERT_EQ(grid.of_points[0].values.size(), 3 * n_points);
    ASSERT_EQ(grid.of_points[1].values.size(), n_points);
    for (std::size_t i = 0; i < n_points; ++i)
      {
        dealii::Point<dim> p;
        for (int d = 0; d < dim; ++d)
          p[d] = grid.points[3 * i + d];
        EXPECT_NEAR(grid.of_points[1].values[i], f(p, 0), 1e-5);
        for (int a = 0; a < 3; ++a)
          EXPECT_NEAR(grid.of_points[0].values[3 * i + a],
                      a < dim ? f(p, a) : 0., 1e-5);
      }
    const CellParts<dim> cut(mesh.get_reference_cells().front(),
                             is_simplex(read.cell_type()) ? std::min(n, 2) : n);
    const std::size_t n_parts = cut.parts.size();
    ASSERT_EQ(grid.of_cells.size(), 2u);
    ASSERT_EQ(grid.of_cells[0].values.size(), k.size() * n_parts);
    ASSERT_EQ(file.elements.size(), k.size() * n_parts);
    auto place = grid.connectivity.begin();
    for (const auto &cell : mesh.active_cell_iterators())
      for (std::size_t part = 0; part < n_parts; ++part)
        {
          const auto c = cell->active_cell_index();
          EXPECT_EQ(grid.of_cells[0].values[c * n_parts + part], k[c]);
          for (const int corner : cut.parts[part])
            {
              const int point = *place++;
              const auto x =
                mapping.transform_unit_to_real_cell(cell, cut.points[corner]);
              for (int d = 0; d < dim; ++d)
                EXPECT_NEAR(grid.points[3 * point + d], x[d], 1e-6);
              EXPECT_NEAR(grid.of_points[1].values[point],
                          patches[c].data(0, corner), 1e-5);
            }
        }
    EXPECT_EQ(place, grid.connectivity.end());
  }


  TEST(SolutionWriter, WhatDealIIWrites)
  {
    dealii::Triangulation<2> quadrilaterals, triangles, shell;
    dealii::Triangulation<3> hexahedra, tetrahedra;
    dealii::GridGenerator::subdivided_hyper_cube(quadrilaterals, 3);
    dealii::GridGenerator::subdivided_hyper_cube(hexahedra, 2);
    dealii::GridGenerator::subdivided_hyper_cube_with_simplices(triangles, 2);
    dealii::GridGenerator::subdivided_hyper_cube_with_simplices(tetrahedra, 2);
    dealii::GridGenerator::hyper_shell(shell, {}, 0.5, 1., 6);
    dealii::GridTools::distort_random(0.2, quadrilaterals, true, 1);
    dealii::GridTools::distort_random(0.2, hexahedra, true, 1);
    for (const int n : {1, 2, 3})
      {
        compare<2>(dealii::MappingQ<2>(1), quadrilaterals, dealii::FE_Q<2>(3),
                   n);
        compare<3>(dealii::MappingQ<3>(1), hexahedra, dealii::FE_Q<3>(2), n);
        compare<2>(dealii::MappingQ<2>(3), shell, dealii::FE_Q<2>(3), n, true);
        for (const int degree : {1, 2})
          {
            compare<2>(dealii::MappingFE<2>(dealii::FE_SimplexP<2>(1)),
                       triangles, dealii::FE_SimplexP<2>(degree), n);
            compare<3>(dealii::MappingFE<3>(dealii::FE_SimplexP<3>(1)),
                       tetrahedra, dealii::FE_SimplexP<3>(degree), n);
          }
      }
  }


  /// Cells do not share points where a field jumps between them.
  TEST(SolutionWriter, FieldsThatJump)
  {
    std::filesystem::create_directories(folder);
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::subdivided_hyper_cube(mesh, 3);
    dealii::DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    SolutionWriter<2>::Fields fields = {
      {{"u", dealii::Vector<double>(dof_handler.n_dofs())}}};
    fields.derived.push_back({{{"number", 1}}, []() {
                                return [](const auto &in_cell, double *values) {
                                  for (std::size_t q = 0; q < 4; ++q)
                                    values[q] = 4. * in_cell.cell + q;
                                };
                              }});
    const dealii::MappingQ<2> mapping(1);
    const VtuGrid grid =
      VtuCells<2>(CellNodes<2>(mapping, dof_handler), fields, 1).grid();
    ASSERT_EQ(grid.of_points[1].values.size(), 36u);
    for (std::size_t i = 0; i < 36; ++i)
      EXPECT_EQ(grid.of_points[1].values[i], i);
  }


  /// An array of several blocks reads back as it is.
  TEST(SolutionWriter, ManyBlocks)
  {
    VtuGrid grid;
    grid.cell_type = 3;
    grid.n_corners = 2;
    const int n    = 200000;
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < 3; ++d)
        grid.points.push_back(d == 0 ? static_cast<float>(std::sin(i)) : i * d);
    for (int i = 0; i + 1 < n; ++i)
      for (const int corner : {i, i + 1})
        grid.connectivity.push_back(corner);
    std::ostringstream out;
    write_vtu(grid, out);
    const MeshFile file = parse_mesh(out.str(), "vtu", "file");
    ASSERT_EQ(file.vertices.size(), n);
    ASSERT_EQ(file.elements.size(), n - 1);
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < 3; ++d)
        ASSERT_EQ(file.vertices[i][d], grid.points[3 * i + d]);
    EXPECT_EQ(file.elements[n - 2].vertices[1], n - 1);
  }

  /// At the coordinates of a map, where numbers of single precision are half a
  /// metre apart, points keep their distances.
  TEST(SolutionWriter, MapCoordinates)
  {
    dealii::Triangulation<2> mesh;
    const dealii::Point<2> lower(456789.25, 5412345.75);
    dealii::GridGenerator::hyper_rectangle(
      mesh, lower, lower + dealii::Point<2>(10.125, 1.));
    dealii::DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    SolutionWriter<2> writer(folder, false);
    writer.write({dealii::MappingQ<2>(1), dof_handler}, {}, 1, "map");
    for (const std::string file : {"map.vtu", "map_boundary.vtu"})
      {
        const MeshFile grid =
          parse_mesh(load_bytes(folder + '/' + file), "vtu", "file");
        ASSERT_FALSE(grid.vertices.empty());
        std::set<double> x, y;
        for (const auto &vertex : grid.vertices)
          {
            x.insert(vertex[0]);
            y.insert(vertex[1]);
          }
        EXPECT_EQ(x, (std::set<double>{lower[0], lower[0] + 10.125}));
        EXPECT_EQ(y, (std::set<double>{lower[1], lower[1] + 1.}));
      }
  }

  TEST(SolutionWriter, Unwritable)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::hyper_cube(mesh);
    dealii::DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    using Writer = SolutionWriter<2>;
    for (const auto &[format, name] : {std::pair{Writer::Format::vtu, ".vtu"},
                                       {Writer::Format::vtkhdf, ".vtkhdf"}})
      try
        {
          Writer("/nowhere/at/all", false, format)
            .write({dealii::MappingQ<2>(1), dof_handler}, {}, 1, "case");
          FAIL() << name;
        }
      catch (const Error &error)
        {
          EXPECT_EQ(std::string(error.what()),
                    std::string("The file '/nowhere/at/all/case") + name +
                      "' cannot be written: No such file or directory.");
        }
  }
} // namespace

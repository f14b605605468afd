#include <tessera/base/error.h>
#include <tessera/dealii/solution_writer.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/grid_generator.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace
{
  using namespace tessera;

  const std::string folder = testing::TempDir() + "tessera_solution_writer";

  /// Returns "points cells" of a file.
  std::string
  sizes(const std::string &name)
  {
    std::ifstream in(folder + '/' + name);
    std::stringstream text;
    text << in.rdbuf();
    const std::string all = text.str();
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
    writer.write(mapping, dof_handler, {{{"u", u}}, {{"kappa", k}}},
                 subdivisions, "case");
    EXPECT_EQ(writer.file(), folder + "/solution.pvd");
    EXPECT_TRUE(std::filesystem::exists(writer.file()));
  }

  TEST(SolutionWriter, Quadrilaterals)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::subdivided_hyper_cube(mesh, 3);
    write<2>(dealii::MappingQ<2>(1), mesh, dealii::FE_Q<2>(3), 3);
    EXPECT_EQ(sizes("case.vtu"), "144 81"); // 9 cells: 4^2 points, 3^2 parts
    EXPECT_EQ(sizes("case_boundary.vtu"), "48 36"); // 12 faces
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
      writer.write_step(dealii::MappingQ<2>(1), dof_handler, {{{"u", u}}, {}},
                        1, "step_" + step, "series", 2.5 * std::stod(step));
    EXPECT_EQ(writer.file(), "") << "no solution";
    EXPECT_EQ(sizes("step_1.vtu"), "4 1");
    EXPECT_FALSE(std::filesystem::exists(folder + "/step_1_boundary.vtu"));
    std::ifstream in(folder + "/series.pvd");
    std::stringstream text;
    text << in.rdbuf();
    const std::regex last(
      "timestep=\"0\"[^]*step_0.vtu[^]*timestep=\"2.5\"[^]*step_1.vtu");
    EXPECT_TRUE(std::regex_search(text.str(), last)) << text.str();
  }

  TEST(SolutionWriter, Hexahedra)
  {
    dealii::Triangulation<3> mesh;
    dealii::GridGenerator::subdivided_hyper_cube(mesh, 2);
    write<3>(dealii::MappingQ<3>(1), mesh, dealii::FE_Q<3>(2), 2);
    EXPECT_EQ(sizes("case.vtu"), "216 64");
    EXPECT_EQ(sizes("case_boundary.vtu"), "216 96"); // 24 faces of 9 points
  }

  TEST(SolutionWriter, Triangles)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::subdivided_hyper_cube_with_simplices(mesh, 2);
    const dealii::MappingFE<2> mapping(dealii::FE_SimplexP<2>(1));
    write<2>(mapping, mesh, dealii::FE_SimplexP<2>(1), 1);
    EXPECT_EQ(sizes("case.vtu"), "24 8");
    write<2>(mapping, mesh, dealii::FE_SimplexP<2>(2), 5);
    EXPECT_EQ(sizes("case.vtu"), "48 8"); // quadratic triangles
    EXPECT_EQ(sizes("case_boundary.vtu"), "48 40");
  }

  TEST(SolutionWriter, Tetrahedra)
  {
    dealii::Triangulation<3> mesh;
    dealii::GridGenerator::subdivided_hyper_cube_with_simplices(mesh, 1);
    const dealii::MappingFE<3> mapping(dealii::FE_SimplexP<3>(1));
    write<3>(mapping, mesh, dealii::FE_SimplexP<3>(1), 1);
    EXPECT_EQ(sizes("case.vtu"), "20 5");
    EXPECT_EQ(sizes("case_boundary.vtu"), "36 12");
    write<3>(mapping, mesh, dealii::FE_SimplexP<3>(2), 2);
    EXPECT_EQ(sizes("case.vtu"), "50 5");
    EXPECT_EQ(sizes("case_boundary.vtu"), "72 12");
  }

  TEST(SolutionWriter, Unwritable)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::hyper_cube(mesh);
    dealii::DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    EXPECT_THROW(SolutionWriter<2>("/nowhere/at/all")
                   .write(dealii::MappingQ<2>(1), dof_handler, {}, 1, "case"),
                 Error);
  }
} // namespace

#include <tessera/base/error.h>
#include <tessera/fem/fields/sampling.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace
{
  using namespace tessera;

  template <int dim>
  struct Linear : dealii::Function<dim>
  {
    double
    value(const dealii::Point<dim> &p, const unsigned int = 0) const override
    {
      double result = 1;
      for (int d = 0; d < dim; ++d)
        result += (2 - 3 * d) * p[d];
      return result;
    }
  };

  /// Samples a linear function, which the element reproduces, at points of
  /// which the last is outside.
  template <int dim>
  void
  check_values(const dealii::Mapping<dim> &mapping,
               const dealii::Triangulation<dim> &triangulation,
               const dealii::FiniteElement<dim> &fe,
               const std::vector<dealii::Point<dim>> &points)
  {
    dealii::DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    dealii::Vector<double> u(dof_handler.n_dofs());
    dealii::VectorTools::interpolate(mapping, dof_handler, Linear<dim>(), u);
    const CellNodes<dim> cells(mapping, dof_handler);
    const PointLocator<dim> locator(cells, points);
    const auto values = locator.values(u);
    ASSERT_EQ(values.size(), points.size());
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      {
        EXPECT_TRUE(locator.inside(i)) << points[i];
        // Newton's iterations for the reference point end at about 1e-10.
        EXPECT_NEAR(values[i], Linear<dim>().value(points[i]), 1e-8)
          << points[i];
      }
    EXPECT_FALSE(locator.inside(points.size() - 1));
    if (locator.near(points.size() - 1))
      EXPECT_NEAR(values.back(), Linear<dim>().value(points.back()), 1e-8);
    else
      EXPECT_TRUE(std::isnan(values.back()));
  }

  TEST(PointLocator, Quadrilaterals)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::hyper_L(mesh);
    mesh.refine_global(2);
    dealii::GridTools::distort_random(0.2, mesh, true, 5);
    check_values<2>(dealii::MappingQ<2>(1), mesh, dealii::FE_Q<2>(3),
                    {{-0.3, -0.7}, {-1, 1}, {0, 0}, {-1, 0.123}, {0.5, 0.5}});
  }

  TEST(PointLocator, Triangles)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::subdivided_hyper_cube_with_simplices(mesh, 3);
    check_values<2>(
      dealii::MappingFE<2>(dealii::FE_SimplexP<2>(1)), mesh,
      dealii::FE_SimplexP<2>(2),
      {{0.1, 0.7}, {1, 1}, {1. / 3, 0.5}, {0.9, 0.95}, {0.5, 1.001}});
  }

  TEST(PointLocator, Hexahedra)
  {
    dealii::Triangulation<3> mesh;
    dealii::GridGenerator::subdivided_hyper_cube(mesh, 3);
    dealii::GridTools::distort_random(0.2, mesh, true, 5);
    check_values<3>(
      dealii::MappingQ<3>(1), mesh, dealii::FE_Q<3>(2),
      {{0.1, 0.7, 0.4}, {1, 1, 1}, {0.5, 0, 0.2}, {0.2, 0.3, -0.001}});
  }

  TEST(PointLocator, Tetrahedra)
  {
    dealii::Triangulation<3> mesh;
    dealii::GridGenerator::subdivided_hyper_cube_with_simplices(mesh, 2);
    check_values<3>(
      dealii::MappingFE<3>(dealii::FE_SimplexP<3>(1)), mesh,
      dealii::FE_SimplexP<3>(1),
      {{0.1, 0.7, 0.4}, {1, 1, 1}, {0.5, 0, 0.2}, {0.2, 0.3, -0.001}});
  }

  TEST(PointLocator, CurvedCells)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::hyper_ball(mesh);
    mesh.refine_global(1);
    // The point is outside of the polygon of vertices but inside of the circle.
    const double r = 0.999, phi = dealii::numbers::PI / 8;
    check_values<2>(
      dealii::MappingQ<2>(4), mesh, dealii::FE_Q<2>(4),
      {{r * std::cos(phi), r * std::sin(phi)}, {0, -1}, {0.2, 0.1}, {1.01, 0}});
  }

  TEST(PointLocator, ContinuesToCurvedBoundaries)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::hyper_ball(mesh);
    mesh.refine_global(2);
    const double s = std::sin(dealii::numbers::PI / 16),
                 c = std::cos(dealii::numbers::PI / 16);
    // One is on the circle, outside of the polygon; the others are outside of
    // the circle, by a tenth of a cell or far away.
    const std::vector<dealii::Point<2>> points = {
      {c, s}, {1.3 * c, 1.3 * s}, {1.05 * c, 1.05 * s}};
    dealii::DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    const CellNodes<2> cells(dealii::MappingQ<2>(1), dof_handler);
    const PointLocator<2> locator(cells, points);
    EXPECT_FALSE(locator.inside(0));
    EXPECT_TRUE(locator.near(0));
    EXPECT_FALSE(locator.near(1));
    EXPECT_FALSE(locator.near(2));
    std::ostringstream note;
    locator.check(0, "Output/Probes", &note);
    EXPECT_NE(note.str().find("is outside of the mesh, about 0.0192 from"),
              std::string::npos)
      << note.str();
    EXPECT_THROW(locator.check(2, "Output/Probes", &note), ParameterError);
    check_values<2>(dealii::MappingQ<2>(1), mesh, dealii::FE_Q<2>(1),
                    {{0, 0}, points[0]});
    check_values<2>(dealii::MappingQ<2>(1), mesh, dealii::FE_Q<2>(1),
                    {{0, 0}, points[1]});
  }

  TEST(PointLocator, ContinuesNothingBeyondStraightBoundaries)
  {
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::plate_with_a_hole(mesh, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1,
                                             {0.3, 0.2});
    const std::vector<dealii::Point<2>> points = {
      {0.2, 0}, {0.1, 0.1}, {0.61, 0.2}, {0.64, 0.2}};
    dealii::DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    const CellNodes<2> cells(dealii::MappingQ<2>(1), dof_handler);
    const PointLocator<2> locator(cells, points);
    for (const std::size_t i : {2, 3})
      {
        EXPECT_FALSE(locator.near(i)) << points[i];
        EXPECT_THROW(locator.check(i, "Output/Probes"), ParameterError);
      }
    EXPECT_TRUE(locator.inside(0));
    EXPECT_TRUE(locator.inside(1));
  }

  struct Declared : Parameters
  {
    Declared()
    {
      Sampling<2>::declare(*this, {"cell", "place"});
    }
  };

  template <int dim>
  std::string
  error(const Parameters &parameters)
  {
    try
      {
        dealii::Triangulation<dim> mesh;
        dealii::GridGenerator::hyper_cube(mesh);
        dealii::DoFHandler<dim> dof_handler(mesh);
        dof_handler.distribute_dofs(dealii::FE_Q<dim>(1));
        Sampling<dim>(parameters)
          .check({dealii::MappingQ<dim>(1), dof_handler});
      }
    catch (const ParameterError &e)
      {
        return e.what();
      }
    return "";
  }

  TEST(Sampling, Refuses)
  {
    Declared parameters;
    EXPECT_EQ(error<2>(parameters), "");
    parameters.set("Output/Probes", "0.5, 0.5; 1, 1.5");
    EXPECT_EQ(error<2>(parameters),
              "The point x = 1, y = 1.5 of 'Output/Probes' is outside of the "
              "mesh, about 0.5 from its closest cell.");
    EXPECT_EQ(error<3>(parameters),
              "'0.5, 0.5' in 'Output/Probes' is not a point; legal are 3 "
              "finite numbers separated by commas.");
    for (const std::string text : {"1", "1, ", "a, 1", "1, 2, 3", "nan, 1",
                                   "1e999, 0", "0.5, 0.5; ;", "1 2, 3"})
      {
        parameters.set("Output/Probes", text);
        EXPECT_NE(error<2>(parameters).find("is not a point"),
                  std::string::npos)
          << text;
      }
    parameters.set("Output/Probes", "");
    parameters.set("Output/Line 2/From", "2, 2");
    EXPECT_EQ(error<2>(parameters),
              "Section 'Output/Line 2' has 'From' but not 'To'; a line has "
              "both.");
    parameters.set("Output/Line 2/To", "2, 2");
    EXPECT_EQ(error<2>(parameters),
              "The line of section 'Output/Line 2' has no length: both ends "
              "are (2, 2).");
    parameters.set("Output/Line 2/To", "3, 2");
    EXPECT_EQ(error<2>(parameters),
              "The line of section 'Output/Line 2', from (2, 2) to (3, 2), has "
              "no point in the mesh.");
  }

  TEST(Sampling, RefusesQuantities)
  {
    Declared parameters;
    parameters.set("Output/Quantities", "place_in_cell, place");
    EXPECT_EQ(error<2>(parameters),
              "'Output/Quantities' says what 'Output/Probes' and the lines "
              "'Output/Line 1' and so on have, but there are none.");
    parameters.set("Output/Probes", "0.5, 0.5");
    EXPECT_EQ(error<2>(parameters), "");
    parameters.set("Output/Quantities", "place_in_cell, cell, place_in_cell");
    EXPECT_EQ(error<2>(parameters),
              "'place_in_cell' is there twice in 'Output/Quantities'.");
    for (const std::string text : {"places", "u", "cell place", "_in_cell"})
      EXPECT_THROW(parameters.set("Output/Quantities", text), ParameterError)
        << text;
  }

  std::vector<std::string>
  lines_of(const std::string &path)
  {
    std::ifstream in(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
      lines.push_back(line);
    return lines;
  }

  TEST(Sampling, WritesFiles)
  {
    const std::string folder = testing::TempDir() + "tessera_sampling";
    std::filesystem::create_directories(folder);
    Declared parameters;
    parameters.set("Output/Probes", "0.25, 0.5; 1, 0");
    parameters.set("Output/Line 3/From", "0, 0.5");
    parameters.set("Output/Line 3/To", "2, 0.5");
    parameters.set("Output/Line 3/Points", "5");
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::hyper_cube(mesh);
    dealii::DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    dealii::Vector<double> u(dof_handler.n_dofs());
    const dealii::MappingQ<2> mapping(1);
    dealii::VectorTools::interpolate(mapping, dof_handler, Linear<2>(), u);
    const CellNodes<2> cells(mapping, dof_handler);

    Sampling<2> sampling(parameters);
    for (const std::string name : {"a", "b"})
      {
        const auto samples = sampling.write({cells, u}, folder, name);
        ASSERT_EQ(samples.size(), 1);
        EXPECT_EQ(samples[0].name, "u");
        ASSERT_EQ(samples[0].values.size(), 7);
        EXPECT_DOUBLE_EQ(samples[0].values[0], 1 + 2 * 0.25 - 0.5);
        EXPECT_DOUBLE_EQ(samples[0].values[1], 3);
      }
    EXPECT_EQ(lines_of(folder + "/probes.csv"),
              (std::vector<std::string>{"case,x,y,u", "a,0.25,0.5,1", "a,1,0,3",
                                        "b,0.25,0.5,1", "b,1,0,3"}));
    EXPECT_EQ(lines_of(folder + "/line3_a.csv"),
              (std::vector<std::string>{"s,x,y,u", "0,0,0.5,0.5",
                                        "0.5,0.5,0.5,1.5", "1,1,0.5,2.5",
                                        "1.5,1.5,0.5,nan", "2,2,0.5,nan"}));
    std::filesystem::remove_all(folder);
  }

  /// "cell" is 4 in the left and 0 in the right one of two cells; "place" is x
  /// and y.
  struct MadeUp : DerivedQuantities<2>
  {
    std::vector<std::string> names;
    const CellNodes<2> &cells;

    MadeUp(const std::vector<std::string> &names, const CellNodes<2> &cells)
      : names(names), cells(cells)
    {}

    std::vector<std::string>
    columns() const override
    {
      std::vector<std::string> result;
      for (const std::string &name : names)
        if (name == "cell")
          result.push_back(name);
        else
          result.insert(result.end(), {"place_x", "place_y"});
      return result;
    }

    AtPoints
    at(const std::vector<dealii::Point<2>> &points) const override
    {
      return [this, points](const std::size_t cell, double *values) {
        CellValues<2> in_cell(cells, points);
        in_cell.reinit(cell);
        for (std::size_t q = 0; q < points.size(); ++q)
          for (const std::string &name : names)
            if (name == "cell")
              *values++ = cell == 0 ? 4 : 0;
            else
              {
                const auto place = in_cell.point(q);
                values           = std::copy_n(place.begin_raw(), 2, values);
              }
      };
    }
  };

  /// The cells have the volumes 1 and 3, so that the middle node has 1.
  TEST(Sampling, WritesQuantities)
  {
    const std::string folder = testing::TempDir() + "tessera_quantities";
    std::filesystem::create_directories(folder);
    Declared parameters;
    parameters.set("Output/Quantities", "cell_in_cell, place, cell");
    parameters.set("Output/Probes", "2.5, 0.5");
    parameters.set("Output/Line 1/From", "0.5, 0.5");
    parameters.set("Output/Line 1/To", "4.5, 0.5");
    parameters.set("Output/Line 1/Points", "3");
    dealii::Triangulation<2> mesh;
    dealii::GridGenerator::subdivided_hyper_rectangle(
      mesh, {{1., 3.}, {1.}}, dealii::Point<2>(), dealii::Point<2>(4, 1));
    dealii::DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(dealii::FE_Q<2>(1));
    dealii::Vector<double> u(dof_handler.n_dofs());
    const dealii::MappingQ<2> mapping(1);
    const CellNodes<2> cells(mapping, dof_handler);
    Sampling<2>(parameters)
      .write({cells, u,
              [&](const auto &names) {
                return std::make_unique<MadeUp>(names, cells);
              }},
             folder, "a");
    EXPECT_EQ(
      lines_of(folder + "/probes.csv"),
      (std::vector<std::string>{"case,x,y,u,place_x,place_y,cell,cell_in_cell",
                                "a,2.5,0.5,0,2.5,0.5,0.5,0"}));
    EXPECT_EQ(lines_of(folder + "/line1_a.csv"),
              (std::vector<std::string>{
                "s,x,y,u,place_x,place_y,cell,cell_in_cell",
                "0,0.5,0.5,0,0.5,0.5,2.5,4", "2,2.5,0.5,0,2.5,0.5,0.5,0",
                "4,4.5,0.5,nan,nan,nan,nan,nan"}));
    std::filesystem::remove_all(folder);
  }
} // namespace

#include "boundary_problem.h"

#include <tessera/base/error.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/boundary_conditions.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <deal.II/numerics/vector_tools_boundary.h>
#include <deal.II/numerics/vector_tools_rhs.h>

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

namespace
{
  using namespace tessera;
  using test::Declared;
  using test::Problem;
  using test::root;

  constexpr double eps = std::numeric_limits<double>::epsilon();

  template <int dim>
  dealii::Quadrature<dim>
  dealii_rule(const CellType type, const int degree)
  {
    if (type == CellType::triangle)
      return dealii::QGaussSimplex<dim>(degree + 1);
    return dealii::QGauss<dim>(degree + 1);
  }

  /// Assembles BoundaryFaces with the shape functions of deal.II's element of
  /// the face.
  template <int dim>
  struct Assembled
  {
    dealii::Vector<double> load;
    dealii::FullMatrix<double> mass;

    Assembled(const BoundaryFaces &faces, const unsigned int n_dofs)
      : load(n_dofs), mass(n_dofs)
    {
      const bool simplex = faces.face_type == CellType::triangle;
      std::unique_ptr<dealii::FiniteElement<dim - 1>> fe =
        std::make_unique<dealii::FE_Q<dim - 1>>(faces.degree);
      if constexpr (dim == 3)
        if (simplex)
          fe = std::make_unique<dealii::FE_SimplexP<2>>(faces.degree);
      const auto nodes   = face_nodes<dim - 1>(simplex, faces.degree);
      const auto rule    = dealii_rule<dim - 1>(faces.face_type, faces.degree);
      const auto n       = nodes.size();
      const auto &places = fe->get_unit_support_points();
      EXPECT_EQ(n, n_nodes(faces.face_type, faces.degree));
      EXPECT_EQ(faces.load.size(), faces.n_faces() * rule.size());
      for (int f = 0; f < faces.n_faces(); ++f)
        for (unsigned int q = 0; q < rule.size(); ++q)
          for (std::size_t i = 0; i < n; ++i)
            {
              const auto shape = [&](const std::size_t node) {
                for (unsigned int k = 0; k < places.size(); ++k)
                  if (places[k].distance(nodes[node]) < 1e-8)
                    return fe->shape_value(k, rule.point(q));
                throw std::logic_error("no such node");
              };
              const int row = faces.dofs[f * n + i];
              load(row) += faces.load[f * rule.size() + q] * shape(i);
              if (!faces.mass.empty())
                for (std::size_t j = 0; j < n; ++j)
                  mass(row, faces.dofs[f * n + j]) +=
                    faces.mass[f * rule.size() + q] * shape(i) * shape(j);
            }
    }
  };

  template <class C>
  class BoundaryConditionsOf : public testing::Test
  {};

  using AllCells = testing::Types<
    test::Cells<CellType::quadrilateral>, test::Cells<CellType::hexahedron>,
    test::Cells<CellType::triangle>, test::Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(BoundaryConditionsOf, AllCells);


  TYPED_TEST(BoundaryConditionsOf, LoadIsThatOfDealII)
  {
    constexpr int dim        = TypeParam::dim;
    const std::string linear = dim == 2 ? "x - 2*y" : "x - 2*y + 3*z";
    for (int degree = 1; degree <= TypeParam::max_degree; ++degree)
      {
        Problem<TypeParam> problem(degree);
        Declared<dim> parameters;
        parameters.add("Dirichlet 1", "0");
        parameters.add("Neumann 2", "1, 3", linear);
        parameters.add("Robin 1", "2", "1 + x*x");
        parameters.set(root + "Remaining boundaries", "natural");
        const BoundaryConditions<dim> boundary(parameters);
        const BoundaryFaces faces =
          boundary.faces(problem.mesh, {*problem.mapping, problem.dof_handler});
        EXPECT_EQ(faces.degree, degree);
        EXPECT_EQ(faces.face_type, face_type(TypeParam::cell_type));
        const unsigned int n = problem.dof_handler.n_dofs();
        const Assembled<dim> ours(faces, n);

        dealii::Vector<double> expected(n), part(n);
        const auto rule =
          dealii_rule<dim - 1>(face_type(TypeParam::cell_type), degree);
        const auto add = [&](const std::string &entry,
                             const std::set<unsigned int> &ids) {
          const auto g = Expression<dim>(parameters, root + entry).function();
          dealii::VectorTools::create_boundary_right_hand_side(
            *problem.mapping, problem.dof_handler, rule, *g, part, ids);
          expected += part;
        };
        add("Neumann 2/Function expression", {1, 3});
        add("Robin 1/Function expression", {2});
        for (unsigned int i = 0; i < n; ++i)
          EXPECT_NEAR(ours.load(i), expected(i), 100. * eps)
            << degree << ' ' << i;
      }
  }


  TYPED_TEST(BoundaryConditionsOf, MassIsThatOfDealII)
  {
    constexpr int dim = TypeParam::dim;
    for (int degree = 1; degree <= TypeParam::max_degree; ++degree)
      {
        Problem<TypeParam> problem(degree);
        Declared<dim> parameters;
        parameters.add("Neumann 1", "0", "1");
        parameters.add("Robin 3", "1", "0", "2 + x*y");
        parameters.set(root + "Remaining boundaries", "natural");
        const BoundaryConditions<dim> boundary(parameters);
        const BoundaryFaces faces =
          boundary.faces(problem.mesh, {*problem.mapping, problem.dof_handler});
        ASSERT_EQ(faces.mass.size(), faces.load.size());
        const unsigned int n = problem.dof_handler.n_dofs();
        const Assembled<dim> ours(faces, n);

        dealii::FullMatrix<double> expected(n);
        dealii::FEFaceValues<dim> values(
          *problem.mapping, *problem.fe,
          dealii_rule<dim - 1>(face_type(TypeParam::cell_type), degree),
          dealii::update_values | dealii::update_quadrature_points |
            dealii::update_JxW_values);
        std::vector<dealii::types::global_dof_index> dofs(
          problem.fe->n_dofs_per_cell());
        for (const auto &cell : problem.dof_handler.active_cell_iterators())
          for (const unsigned int f : cell->face_indices())
            if (cell->face(f)->at_boundary() &&
                cell->face(f)->boundary_id() == 1)
              {
                values.reinit(cell, f);
                cell->get_dof_indices(dofs);
                for (const unsigned int q : values.quadrature_point_indices())
                  for (unsigned int i = 0; i < dofs.size(); ++i)
                    for (unsigned int j = 0; j < dofs.size(); ++j)
                      {
                        const auto &x = values.quadrature_point(q);
                        expected(dofs[i], dofs[j]) +=
                          (2. + x[0] * x[1]) * values.JxW(q) *
                          values.shape_value(i, q) * values.shape_value(j, q);
                      }
              }
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            EXPECT_NEAR(ours.mass(i, j), expected(i, j), 100. * eps);
      }
  }


  TYPED_TEST(BoundaryConditionsOf, ConstraintsAreThoseOfDealII)
  {
    constexpr int dim = TypeParam::dim;
    for (int degree = 1; degree <= TypeParam::max_degree; ++degree)
      {
        Problem<TypeParam> problem(degree);
        Declared<dim> parameters;
        // The condition that comes first gives the value where two meet.
        parameters.add("Dirichlet 1", "2, 1", "1 + x - y*y");
        parameters.add("Dirichlet 4", "0", "7");
        parameters.set(root + "Remaining boundaries", "natural");
        const auto ours =
          BoundaryConditions<dim>(parameters)
            .constraints(problem.mesh, {*problem.mapping, problem.dof_handler});

        dealii::AffineConstraints<double> expected;
        const auto g =
          Expression<dim>(parameters, root + "Dirichlet 1/Function expression")
            .function();
        for (const unsigned int id : {1, 2})
          dealii::VectorTools::interpolate_boundary_values(
            *problem.mapping, problem.dof_handler, id, *g, expected);
        dealii::VectorTools::interpolate_boundary_values(
          *problem.mapping, problem.dof_handler, 0,
          dealii::Functions::ConstantFunction<dim>(7.), expected);
        ASSERT_EQ(ours.n_constraints(), expected.n_constraints());
        for (const auto &line : expected.get_lines())
          {
            ASSERT_TRUE(ours.is_constrained(line.index));
            EXPECT_NEAR(ours.get_inhomogeneity(line.index), line.inhomogeneity,
                        20. * eps);
          }
      }
  }


  TYPED_TEST(BoundaryConditionsOf, SumOfLoadsIsAnArea)
  {
    constexpr int dim = TypeParam::dim;
    Problem<TypeParam> problem(1);
    Declared<dim> parameters;
    parameters.set(root + "Remaining boundaries", "natural");
    parameters.add("Neumann 1", dim == 2 ? "0, 1, 2, 3" : "0, 1, 2, 3, 4, 5",
                   "1");
    problem.mesh.triangulation().clear();
    TypeParam::make(problem.mesh, false);
    problem.distribute();
    double sum = 0;
    for (const double g :
         BoundaryConditions<dim>(parameters)
           .faces(problem.mesh, {*problem.mapping, problem.dof_handler})
           .load)
      sum += g;
    EXPECT_NEAR(sum, 2. * dim, 100. * eps);
  }


  /// On a circle of radius 1, mapped by polynomials of degree 4, nodes lie on
  /// the circle. Its length 2 pi converges with the order 8 of the
  /// Gauss-Lobatto nodes, so a refinement divides the error by 256.
  TEST(BoundaryConditions, FollowACurve)
  {
    Problem<test::Cells<CellType::quadrilateral>> problem(4);
    auto &triangulation = problem.mesh.triangulation();
    triangulation.clear();
    dealii::GridGenerator::hyper_ball(triangulation);
    problem.mesh.curved = true;
    Declared<2> parameters;
    parameters.add("Dirichlet 1", "0", "x*x + y*y");
    Declared<2> natural;
    natural.add("Neumann 1", "0", "1");
    double before = 0;
    for (int cycle = 0; cycle < 3; ++cycle)
      {
        problem.distribute();
        const auto constraints =
          BoundaryConditions<2>(parameters)
            .constraints(problem.mesh, {*problem.mapping, problem.dof_handler});
        for (const auto &line : constraints.get_lines())
          EXPECT_NEAR(line.inhomogeneity, 1., 10. * eps);
        double error = -2. * dealii::numbers::PI;
        for (const double g :
             BoundaryConditions<2>(natural)
               .faces(problem.mesh, {*problem.mapping, problem.dof_handler})
               .load)
          error += g;
        if (cycle > 0)
          {
            EXPECT_NEAR(std::log2(before / error), 8., 0.5);
          }
        before = error;
        triangulation.refine_global(1);
      }
  }


  /// Tests cubes whose common face deal.II sees turned and flipped, and a ball,
  /// whose mesh has many such faces.
  TEST(BoundaryConditions, OrientationOfHexahedraDoesNotMatter)
  {
    using C = test::Cells<CellType::hexahedron>;
    for (int variant = 0; variant <= 16; ++variant)
      {
        Problem<C> problem(4);
        auto &triangulation = problem.mesh.triangulation();
        triangulation.clear();
        if (variant == 16)
          dealii::GridGenerator::hyper_ball(triangulation);
        else
          dealii::GridGenerator::non_standard_orientation_mesh(
            triangulation, (variant & 1) != 0, (variant & 2) != 0,
            (variant & 4) != 0, (variant & 8) != 0);
        triangulation.refine_global(1);
        problem.distribute();

        Declared<3> parameters;
        parameters.add("Neumann 1", "0", "1 + x*y + z*x^3");
        const BoundaryFaces faces =
          BoundaryConditions<3>(parameters)
            .faces(problem.mesh, {*problem.mapping, problem.dof_handler});
        const unsigned int n = problem.dof_handler.n_dofs();
        const Assembled<3> ours(faces, n);
        dealii::Vector<double> expected(n);
        dealii::VectorTools::create_boundary_right_hand_side(
          *problem.mapping, problem.dof_handler, dealii::QGauss<2>(5),
          *Expression<3>(parameters, root + "Neumann 1/Function expression")
             .function(),
          expected);
        double worst = 0;
        for (unsigned int i = 0; i < n; ++i)
          worst = std::max(worst, std::abs(ours.load(i) - expected(i)));
        EXPECT_LT(worst, 200. * eps) << variant;
      }
  }
} // namespace

#include "cell_meshes.h"
#include "declared_coefficient.h"

#include <tessera/base/error.h>
#include <tessera/fem/fields/coefficients.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_values.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace
{
  using namespace tessera;
  using test::Declared;

  /// A mesh, and a space of it whose cells are in the opposite order.
  template <class C>
  struct Problem
  {
    static constexpr int dim = C::dim;

    Mesh<dim> mesh;
    Space space;
    std::vector<int> material; ///< by cell of the space

    Problem()
    {
      C::make(mesh);
      mesh.material_names["steel"] = {2};
      mesh.material_names["gone"]  = {7};
      space.cell_type              = C::cell_type;
      space.geometry               = Geometry::quadrature;
      const dealii::Quadrature<dim> rule(
        std::vector<dealii::Point<dim>>(space.points_per_cell(), middle()));
      const auto fe      = C::make_element(1);
      const auto mapping = mesh.make_mapping(1);
      dealii::FEValues<dim> values(*mapping, *fe, rule,
                                   dealii::update_quadrature_points);
      std::vector<std::vector<double>> points;
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        {
          values.reinit(cell);
          points.emplace_back();
          for (const auto &p : values.get_quadrature_points())
            for (int d = 0; d < dim; ++d)
              points.back().push_back(p[d] + 0.001 * points.back().size());
          space.mesh_cell.insert(space.mesh_cell.begin(),
                                 static_cast<int>(cell->active_cell_index()));
          material.insert(material.begin(),
                          static_cast<int>(cell->material_id()));
        }
      for (const int cell : space.mesh_cell)
        space.points.insert(space.points.end(), points[cell].begin(),
                            points[cell].end());
      space.jacobians.resize(space.points.size() * dim);
    }

    static dealii::Point<dim>
    middle()
    {
      dealii::Point<dim> p;
      for (int d = 0; d < dim; ++d)
        p[d] = 0.25;
      return p;
    }
  };

  template <class C>
  class CoefficientsOf : public testing::Test
  {};

  using AllCells = testing::Types<
    test::Cells<CellType::quadrilateral>, test::Cells<CellType::hexahedron>,
    test::Cells<CellType::triangle>, test::Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(CoefficientsOf, AllCells);


  /// Three numbers for the axes, one of which stands for all, may differ in
  /// form between materials.
  TYPED_TEST(CoefficientsOf, Axes)
  {
    constexpr int dim = TypeParam::dim;
    Problem<TypeParam> problem;
    Declared<dim> parameters;
    const auto coefficient = [&]() {
      return MaterialExpression<dim>(parameters, "Coefficient", "Expression",
                                     MaterialValues::axes)
        .coefficient(problem.mesh, problem.space);
    };
    parameters.set("Coefficient/Expression", "5; -6; 7");
    EXPECT_EQ(coefficient().values, (std::vector<double>{5, -6, 7}));
    parameters.set("Coefficient/Expression", "4");
    EXPECT_EQ(coefficient().values, (std::vector<double>{4, 4, 4}));
    parameters.add(1, "2", "1; x; 3");
    const Coefficient c = coefficient();
    ASSERT_EQ(c.kind, Coefficient::Kind::per_quadrature_point);
    const auto points = quadrature_points(problem.space);
    for (std::size_t i = 0; i < points.size() / dim; ++i)
      {
        const bool second =
          problem.material[i / problem.space.points_per_cell()] == 2;
        const std::vector<double> should =
          second ? std::vector<double>{1, points[i * dim], 3}
                 : std::vector<double>{4, 4, 4};
        for (int k = 0; k < 3; ++k)
          EXPECT_EQ(c.values[3 * i + k], should[k]);
      }
    parameters.set("Coefficient/Expression", "4; 5");
    EXPECT_THROW(coefficient(), ParameterError);
  }


  TYPED_TEST(CoefficientsOf, AreOnlyAsFineAsTheyVary)
  {
    constexpr int dim = TypeParam::dim;
    constexpr int m   = dim * (dim + 1) / 2;
    using Kind        = Coefficient::Kind;
    Problem<TypeParam> problem;
    const auto tensor_of = [](const double k) {
      return dim == 2 ? std::vector<double>{k, 0, k}
                      : std::vector<double>{k, 0, 0, k, 0, k};
    };
    const std::string full = dim == 2 ? "3; 1; 2" : "3; 1; 0.5; 4; 0.25; 2";
    const std::vector<double> full_values =
      dim == 2 ? std::vector<double>{3, 1, 2}
               : std::vector<double>{3, 1, 0.5, 4, 0.25, 2};

    Declared<dim> parameters;
    parameters.set("Coefficient/Expression", "5");
    Coefficient k =
      parameters.tensor().coefficient(problem.mesh, problem.space);
    EXPECT_EQ(k.kind, Kind::uniform);
    EXPECT_EQ(k.n_components, m);
    EXPECT_EQ(k.values, tensor_of(5.));

    // Equal expressions cover all cells, so that the first one does not count.
    parameters.set("Coefficient/Expression", "-x");
    parameters.add(3, "1, steel", full);
    k = parameters.tensor().coefficient(problem.mesh, problem.space);
    EXPECT_EQ(k.kind, Kind::uniform);
    EXPECT_EQ(k.values, full_values);

    parameters.set("Coefficient/Expression", "5");
    parameters.add(3, "steel", full);
    k = parameters.tensor().coefficient(problem.mesh, problem.space);
    EXPECT_EQ(k.kind, Kind::per_cell);
    ASSERT_EQ(k.values.size(), problem.material.size() * m);
    for (std::size_t cell = 0; cell < problem.material.size(); ++cell)
      {
        const auto begin = k.values.begin() + cell * m;
        EXPECT_EQ(std::vector<double>(begin, begin + m),
                  problem.material[cell] == 2 ? full_values : tensor_of(5.));
      }

    parameters.add(1, "1", "1 + x*x");
    k = parameters.tensor().coefficient(problem.mesh, problem.space);
    const std::size_t nq = problem.space.points_per_cell();
    EXPECT_EQ(k.n_components, m);
    EXPECT_EQ(k.kind, Kind::per_quadrature_point);
    ASSERT_EQ(k.values.size(), problem.material.size() * nq * m);
    for (std::size_t i = 0; i < k.values.size() / m; ++i)
      {
        const auto begin = k.values.begin() + i * m;
        const double x   = problem.space.points[i * dim];
        EXPECT_EQ(std::vector<double>(begin, begin + m),
                  problem.material[i / nq] == 2 ? full_values
                                                : tensor_of(1. + x * x));
      }

    // Numbers in all materials stay numbers, in cells and at points.
    Declared<dim> numbers;
    numbers.set("Coefficient/Expression", "5");
    numbers.add(1, "steel", "3");
    k = numbers.tensor().coefficient(problem.mesh, problem.space);
    EXPECT_EQ(k.kind, Kind::per_cell);
    EXPECT_EQ(k.n_components, 1);
    ASSERT_EQ(k.values.size(), problem.material.size());
    for (std::size_t cell = 0; cell < problem.material.size(); ++cell)
      EXPECT_EQ(k.values[cell], problem.material[cell] == 2 ? 3. : 5.);
    numbers.add(2, "1", "1 + x*x");
    k = numbers.tensor().coefficient(problem.mesh, problem.space);
    EXPECT_EQ(k.kind, Kind::per_quadrature_point);
    EXPECT_EQ(k.n_components, 1);
    ASSERT_EQ(k.values.size(), problem.material.size() * nq);
    for (std::size_t i = 0; i < k.values.size(); ++i)
      {
        const double x   = problem.space.points[i * dim];
        const auto which = problem.material[i / nq];
        EXPECT_EQ(k.values[i], which == 2 ? 3. : which == 1 ? 1. + x * x : 5.);
      }

    const auto field = parameters.tensor();
    const typename MaterialExpression<dim>::Evaluator evaluator(field);
    const auto t = evaluator.tensor(2, Problem<TypeParam>::middle());
    for (int i = 0, c = 0; i < dim; ++i)
      for (int j = i; j < dim; ++j, ++c)
        EXPECT_EQ(t[i][j], full_values[c]);
  }


  TEST(Coefficients, OfASourceHaveOneComponentOfAnySign)
  {
    Problem<test::Cells<CellType::triangle>> problem;
    Declared<2> parameters;
    parameters.set("Coefficient/Expression", "-2");
    parameters.add(1, "2", "0");
    const Coefficient f =
      parameters.scalar().coefficient(problem.mesh, problem.space);
    EXPECT_EQ(f.kind, Coefficient::Kind::per_cell);
    EXPECT_EQ(f.n_components, 1);
    ASSERT_EQ(f.values.size(), problem.material.size());
    for (std::size_t cell = 0; cell < f.values.size(); ++cell)
      EXPECT_EQ(f.values[cell], problem.material[cell] == 2 ? 0. : -2.);
    parameters.set("Coefficient/Expression", "1; 2; 3");
    EXPECT_THROW(parameters.scalar(), ParameterError);
  }


  template <int dim>
  std::string
  error_of(const Declared<dim> &parameters)
  {
    constexpr auto type =
      dim == 2 ? CellType::quadrilateral : CellType::tetrahedron;
    const Problem<test::Cells<type>> problem;
    try
      {
        parameters.tensor().coefficient(problem.mesh, problem.space);
      }
    catch (const Error &error)
      {
        return std::to_string(static_cast<int>(error.exit_code())) + ' ' +
               error.what();
      }
    return "";
  }


  TEST(Coefficients, NameMaterialsThatExistOnce)
  {
    Declared<3> parameters;
    parameters.add(8, "2", "3");
    EXPECT_EQ(error_of(parameters), "");
    parameters.add(7, "1, iron", "4");
    EXPECT_EQ(error_of(parameters),
              "3 The material 'iron' of 'Coefficient/Material 7/Materials' "
              "does not exist; the test mesh has 1, 2 ('steel').");
    parameters.add(7, "gone", "4");
    EXPECT_EQ(error_of(parameters).find("3 The material 'gone' of"), 0u);
    parameters.add(7, "steel", "4");
    EXPECT_EQ(error_of(parameters),
              "3 The material '2' is claimed by 'Coefficient/Material 7' and "
              "by 'Coefficient/Material 8'; leave it to one of them.");
  }


  TEST(Coefficients, ArePositiveDefinite)
  {
    Declared<2> plane;
    plane.add(2, "2", "-1");
    EXPECT_EQ(error_of(plane),
              "2 The value -1 of 'Coefficient/Material "
              "2/Expression' is not positive.");
    plane.add(2, "2", "0");
    EXPECT_EQ(error_of(plane).find("2 The value 0 of"), 0u);
    plane.add(2, "2", "1; 1; 1");
    EXPECT_EQ(error_of(plane),
              "2 The value 1; 1; 1 of 'Coefficient/Material "
              "2/Expression' is not positive definite.");
    plane.add(2, "2", "1e200; 1e200; 2e200");
    EXPECT_EQ(error_of(plane), "");
    plane.add(2, "2", "1e-200; 1e-200; 2e-200");
    EXPECT_EQ(error_of(plane), "");
    plane.add(2, "2", "1 / 0");
    EXPECT_EQ(error_of(plane),
              "2 The expression of 'Coefficient/Material "
              "2/Expression' is not a finite number.");
    plane.add(2, "2", "1; x - 5; 1");
    EXPECT_NE(error_of(plane).find("is not positive definite at x = "),
              std::string::npos);
    plane.add(2, "2", "sqrt(y - 5)");
    EXPECT_NE(error_of(plane).find("is not a finite number at x = "),
              std::string::npos);

    Declared<3> solid;
    for (const std::string text :
         {"2; 0; 0; 2; 3; 2", "2; 0; 3; 2; 0; 2", "2; 3; 0; 2; 0; 2",
          "0; 0; 0; 1; 0; 1", "1; 0; 0; -1; 0; -1", "1; 0; 0; 1; 0; 0",
          "1; 1; 1; 1; 1; 1", "2; -1.1; -1.1; 2; -1.1; 2"})
      {
        solid.set("Coefficient/Expression", text);
        EXPECT_EQ(error_of(solid), "2 The value " + text +
                                     " of 'Coefficient/Expression' is not "
                                     "positive definite.");
      }
    for (const std::string text :
         {"2; 1; 1; 2; 1; 2", "2; -0.9; -0.9; 2; -0.9; 2", "1; 0; 0; 2; 0; 3"})
      {
        solid.set("Coefficient/Expression", text);
        EXPECT_EQ(error_of(solid), "") << text;
      }
    solid.set("Coefficient/Expression", "z - 5");
    EXPECT_NE(error_of(solid).find("is not positive at x = "),
              std::string::npos);
    solid.set("Coefficient/Expression", "1; 2; 3");
    EXPECT_THROW(solid.tensor(), ParameterError);
  }
} // namespace

#include "cell_meshes.h"
#include "test.h"

#include <tessera/base/error.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/errors.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_values.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <gtest/gtest.h>

#include <omp.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace
{
  using namespace tessera;

  constexpr double eps = std::numeric_limits<double>::epsilon();

  template <int dim>
  struct Declared : Parameters
  {
    explicit Declared(const std::string &u, const std::string &gradient = "")
    {
      ExactSolution<dim>::declare(*this);
      set("Exact solution/Function expression", u);
      set("Exact solution/Gradient expression", gradient);
    }
  };

  template <int dim>
  std::shared_ptr<const Space>
  space_of(const dealii::Mapping<dim> &mapping,
           const dealii::DoFHandler<dim> &dof_handler)
  {
    dealii::AffineConstraints<double> none;
    none.close();
    return std::make_shared<const Space>(
      build_space(flatten(mapping, dof_handler, none).connectivity));
  }

  template <int dim>
  ErrorNorms
  norms_of(const dealii::Mapping<dim> &mapping,
           const dealii::DoFHandler<dim> &dof_handler,
           const dealii::Vector<double> &u, const dealii::Function<dim> &exact)
  {
    const auto space       = space_of(mapping, dof_handler);
    const auto local       = local_values(*space, u);
    const ErrorNorms norms = error_norms(*space, local, exact);
    // Cells of either backend evaluate formulas, and leave others to the host.
    for (const Backend backend : test::backends())
      {
        const ErrorNorms same =
          error_norms(*space, local, exact, {},
                      std::make_shared<const CellData<double>>(space, backend));
        const double tiny = 1e-12 * (1 + norms.L2_of_exact + norms.H1_of_exact);
        EXPECT_NEAR(same.L2, norms.L2, tiny);
        EXPECT_NEAR(same.H1, norms.H1, 1e3 * tiny); // maybe of differences
        EXPECT_NEAR(same.maximum, norms.maximum, 1e3 * tiny);
        EXPECT_NEAR(same.L2_of_exact, norms.L2_of_exact, tiny);
        EXPECT_NEAR(same.H1_of_exact, norms.H1_of_exact, 1e3 * tiny);
      }
    return norms;
  }


  /// The norms of the errors by deal.II's loop over cells.
  template <int dim>
  std::array<double, 3>
  oracle(const dealii::Mapping<dim> &mapping,
         const dealii::DoFHandler<dim> &dof_handler,
         const dealii::Vector<double> &solution,
         const dealii::Function<dim> &exact)
  {
    const auto &fe       = dof_handler.get_fe();
    const unsigned int n = fe.degree + 3;
    const auto quadrature =
      fe.reference_cell().is_simplex()
        ? dealii::Quadrature<dim>(dealii::QWitherdenVincentSimplex<dim>(n))
        : dealii::Quadrature<dim>(dealii::QGauss<dim>(n));
    dealii::FEValues<dim> values(
      mapping, fe, quadrature,
      dealii::update_values | dealii::update_gradients |
        dealii::update_quadrature_points | dealii::update_JxW_values);
    std::vector<double> u(quadrature.size());
    std::vector<dealii::Tensor<1, dim>> gradients(quadrature.size());
    double squares[2] = {}, largest = 0;
    for (const auto &cell : dof_handler.active_cell_iterators())
      {
        values.reinit(cell);
        values.get_function_values(solution, u);
        values.get_function_gradients(solution, gradients);
        for (unsigned int q = 0; q < quadrature.size(); ++q)
          {
            const auto &p  = values.quadrature_point(q);
            const double e = u[q] - exact.value(p);
            largest        = std::max(largest, std::abs(e));
            squares[0] += e * e * values.JxW(q);
            squares[1] +=
              (gradients[q] - exact.gradient(p)).norm_square() * values.JxW(q);
          }
      }
    return {std::sqrt(squares[0]), std::sqrt(squares[1]), largest};
  }


  template <class C>
  class ErrorsOf : public testing::Test
  {};

  using AllCells = testing::Types<
    test::Cells<CellType::quadrilateral>, test::Cells<CellType::hexahedron>,
    test::Cells<CellType::triangle>, test::Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(ErrorsOf, AllCells);


  /// No norm loses a value that is not a number, on either backend.
  TYPED_TEST(ErrorsOf, AreNoNumbersIfTheFunctionIsNone)
  {
    constexpr int dim = TypeParam::dim;
    Mesh<dim> mesh;
    TypeParam::make(mesh, false);
    const auto fe      = TypeParam::make_element(1);
    const auto mapping = mesh.make_mapping(1);
    dealii::DoFHandler<dim> dof_handler(mesh.triangulation());
    dof_handler.distribute_dofs(*fe);
    const auto space = space_of(*mapping, dof_handler);
    dealii::Vector<double> u(dof_handler.n_dofs());
    u[0]             = std::nan("");
    const auto local = local_values(*space, u);
    const auto exact = ExactSolution<dim>::read(Declared<dim>("x", ""));
    for (const Backend backend : test::backends())
      for (const auto &cells :
           {std::make_shared<const CellData<double>>(space, backend),
            std::shared_ptr<const CellData<double>>()})
        {
          const ErrorNorms norms =
            error_norms(*space, local, *exact, {}, cells);
          EXPECT_TRUE(std::isnan(norms.L2));
          EXPECT_TRUE(std::isnan(norms.maximum));
        }
  }


  /// With u_h = 0 the error is the norm of u.
  TYPED_TEST(ErrorsOf, AreNormsOfTheDifference)
  {
    constexpr int dim = TypeParam::dim;
    Mesh<dim> mesh;
    TypeParam::make(mesh, false);
    for (int degree = 1; degree <= TypeParam::max_degree; ++degree)
      {
        const auto fe      = TypeParam::make_element(degree);
        const auto mapping = mesh.make_mapping(degree);
        dealii::DoFHandler<dim> dof_handler(mesh.triangulation());
        dof_handler.distribute_dofs(*fe);
        const auto exact = ExactSolution<dim>::read(
          Declared<dim>(dim == 2 ? "x^2 + y" : "x^2 + y + 2*z",
                        dim == 2 ? "2*x; 1" : "2*x; 1; 2"));
        dealii::Vector<double> zero(dof_handler.n_dofs()), u(zero);
        const ErrorNorms whole = norms_of(*mapping, dof_handler, zero, *exact);
        // int (x^2 + y)^2 = 1/5 + 1/3 + 1/3 and int |grad|^2 = 4/3 + 1; with
        // 2 z these are larger by 3 and 4.
        const double of_z = dim == 2 ? 0 : 1;
        EXPECT_NEAR(whole.L2, std::sqrt(13. / 15. + 3 * of_z), 100. * eps);
        EXPECT_NEAR(whole.H1, std::sqrt(7. / 3. + 4 * of_z), 100. * eps);
        EXPECT_EQ(whole.L2_of_exact, whole.L2);
        EXPECT_EQ(whole.H1_of_exact, whole.H1);

        dealii::VectorTools::interpolate(*mapping, dof_handler, *exact, u);
        const ErrorNorms norms = norms_of(*mapping, dof_handler, u, *exact);
        const auto expected    = oracle(*mapping, dof_handler, u, *exact);
        EXPECT_NEAR(norms.L2, expected[0], 1000. * eps);
        EXPECT_NEAR(norms.H1, expected[1], 1000. * eps);
        EXPECT_NEAR(norms.maximum, expected[2], 1000. * eps);
        if (degree == 1)
          {
            EXPECT_GT(norms.L2, 1e-3);
            EXPECT_GT(norms.maximum, norms.L2); // the volume is 1
          }
        else
          EXPECT_LT(norms.H1, 1000. * eps);
        EXPECT_EQ(norms.L2_of_exact, whole.L2);

        const int threads = omp_get_max_threads();
        omp_set_num_threads(3);
        const ErrorNorms by_three = norms_of(*mapping, dof_handler, u, *exact);
        omp_set_num_threads(threads);
        EXPECT_EQ(by_three.L2, norms.L2);
        EXPECT_EQ(by_three.H1, norms.H1);
        EXPECT_EQ(by_three.maximum, norms.maximum);
      }
  }


  TYPED_TEST(ErrorsOf, OfInterpolantsFallWithTheRate)
  {
    constexpr int dim = TypeParam::dim;
    const auto exact  = ExactSolution<dim>::read(
       Declared<dim>(dim == 2 ? "sin(2*x + y)" : "sin(2*x + y - z)"));
    for (int degree = 1; degree <= std::min(2, TypeParam::max_degree); ++degree)
      {
        ErrorNorms before{};
        unsigned int n_before = 0;
        for (int cycle = 0; cycle < 3; ++cycle)
          {
            Mesh<dim> mesh;
            TypeParam::make(mesh, false, 1 << cycle);
            const auto fe      = TypeParam::make_element(degree);
            const auto mapping = mesh.make_mapping(degree);
            dealii::DoFHandler<dim> dof_handler(mesh.triangulation());
            dof_handler.distribute_dofs(*fe);
            dealii::Vector<double> u(dof_handler.n_dofs());
            dealii::VectorTools::interpolate(*mapping, dof_handler, *exact, u);
            const ErrorNorms now = norms_of(*mapping, dof_handler, u, *exact);
            const unsigned int n = mesh.triangulation().n_active_cells();
            if (cycle == 2)
              {
                EXPECT_NEAR(
                  convergence_rate(before.L2, now.L2, n_before, n, dim),
                  degree + 1., 0.1);
                EXPECT_NEAR(
                  convergence_rate(before.H1, now.H1, n_before, n, dim), degree,
                  0.1);
              }
            before   = now;
            n_before = n;
          }
      }
  }


  TEST(ExactSolution, DifferencesReachTheGradient)
  {
    EXPECT_EQ(ExactSolution<3>::read(Declared<3>("")), nullptr);
    const auto differences =
      ExactSolution<3>::read(Declared<3>("sin(3 * x) * exp(y) * z"));
    const auto formula = ExactSolution<3>::read(
      Declared<3>("sin(3 * x) * exp(y) * z",
                  "3 * cos(3 * x) * exp(y) * z; sin(3 * x) * exp(y) * z; "
                  "sin(3 * x) * exp(y)"));
    // The rounding of four values of at most exp(1), divided by 12 h = 12e-4.
    const double tolerance = 20. * std::exp(1.) / 1e-4 * eps;
    for (const double x : {0.1, 0.7})
      for (const double y : {0.2, 0.9})
        {
          const dealii::Point<3> p(x, y, 0.8);
          EXPECT_EQ(differences->value(p), std::sin(3 * x) * std::exp(y) * 0.8);
          EXPECT_NEAR((differences->gradient(p) - formula->gradient(p)).norm(),
                      0., tolerance);
        }
    EXPECT_THROW(ExactSolution<3>::read(Declared<3>("x", "1; 0")),
                 ParameterError);
  }


  TEST(ExactSolution, IsFinite)
  {
    using C = test::Cells<CellType::triangle>;
    Mesh<2> mesh;
    C::make(mesh, false);
    const auto fe      = C::make_element(1);
    const auto mapping = mesh.make_mapping(1);
    dealii::DoFHandler<2> dof_handler(mesh.triangulation());
    dof_handler.distribute_dofs(*fe);
    const dealii::Vector<double> zero(dof_handler.n_dofs());
    const auto error = [&](const std::string &u, const std::string &gradient) {
      try
        {
          norms_of(*mapping, dof_handler, zero,
                   *ExactSolution<2>::read(Declared<2>(u, gradient)));
        }
      catch (const ParameterError &failure)
        {
          return std::string(failure.what());
        }
      return std::string();
    };
    EXPECT_EQ(error("sqrt(x - 0.5)", "0; 0"),
              "The expression of 'Exact solution/Function expression' is not a "
              "finite number at x = 0.0112435, y = 0.0168653.");
    EXPECT_EQ(error("x", "1 / 0; 0"),
              "The gradient of 'Exact solution/Function expression' is not "
              "finite at x = 0.0112435, y = 0.0168653; give it by 'Exact "
              "solution/Gradient expression'.");
    EXPECT_EQ(error("1e200 * x", ""),
              "The values of 'Exact solution/Function expression' are too "
              "large: their squares are not finite.");
    EXPECT_THROW(ExactSolution<2>::read(Declared<2>("", "0; 0")),
                 ParameterError);
  }


  TEST(Errors, RatesAreThoseOfTheMeshWidth)
  {
    EXPECT_NEAR(convergence_rate(8., 1., 16, 64, 2), 3., 10. * eps);
    EXPECT_NEAR(convergence_rate(8., 1., 8, 64, 3), 3., 10. * eps);
    EXPECT_TRUE(below_resolution(1e-14, 1., 20., 0., eps));
    EXPECT_TRUE(below_resolution(1e-9, 2., 20., 1e-10, eps));
    EXPECT_FALSE(below_resolution(1e-8, 1., 20., 1e-10, eps));
    EXPECT_FALSE(below_resolution(1e-9, 1e-3, 20., 1e-10, eps));
    EXPECT_FALSE(below_resolution(1e-9, 1., 0., 1e-10, eps));
  }
} // namespace

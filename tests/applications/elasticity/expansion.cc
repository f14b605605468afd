#include "stress_problem.h"

#include <gtest/gtest.h>

/// Stresses of a body that would expand, as by heat, if nothing held it.
namespace
{
  using namespace tessera;
  using namespace tessera::test;

  template <class C>
  class ExpansionOf : public testing::Test
  {};

  using AllCells =
    testing::Types<Cells<CellType::quadrilateral>, Cells<CellType::hexahedron>,
                   Cells<CellType::triangle>, Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(ExpansionOf, AllCells);

  template <class C>
  StressProblem<C::dim>
  with(const Problem<C> &problem, const Coefficient &expansion,
       const bool b_bar = false)
  {
    StressProblem<C::dim> result = problem;
    result.expansion             = &expansion;
    result.b_bar                 = b_bar;
    return result;
  }


  /// Stresses and the energy follow from the elastic strain, strains contain
  /// the expansion, for plane strain and plane stress.
  TYPED_TEST(ExpansionOf, ABodyThatIsStrained)
  {
    constexpr int dim           = TypeParam::dim;
    const std::vector<double> e = {0.3, 0.1, 0.2};
    const Coefficient expansion{Coefficient::Kind::uniform, 3, e};
    for (const auto &[plane, b_bar] :
         {std::pair(Plane::strain, false), std::pair(Plane::stress, false),
          std::pair(Plane::strain, true), std::pair(Plane::stress, true)})
      {
        Problem<TypeParam> problem(
          2, [e](const dealii::Point<dim> &p, const int c) {
            return linear<dim>(p, c) + e[c] * p[c];
          });
        SymmetricComponents elastic, stress;
        if (dim == 3)
          {
            elastic = {0.5, -1.5, 0.25, 0.25, 1.5, 0.25};
            stress  = {2.75, -16, -0.75, 3.5, 18, 2.5};
          }
        else if (plane == Plane::strain)
          {
            problem.across.values = {3, 4, 5, 0, 0};
            elastic               = {0.5, -1.5, -e[2], 0.25, 0, 0};
            stress = {2 - 3 * e[2], -17 - 4 * e[2], -4.5 - 5 * e[2], 3.5, 0, 0};
          }
        else
          {
            problem.across.values = {0, 0, 0, -0.2, -0.3};
            elastic               = {0.5, -1.5, 0.35, 0.25, 0, 0};
            stress                = {2, -17, 0, 3.5, 0, 0};
          }
        const auto result =
          compute_stresses<dim>(with(problem, expansion, b_bar));
        double energy = 0;
        for (const auto &cell : result.cells)
          for (int i = 0; i < 6; ++i)
            {
              EXPECT_NEAR(cell.stress[i], stress[i], 1e4 * eps);
              EXPECT_NEAR(cell.strain[i], elastic[i] + (i < 3 ? e[i] : 0.),
                          1e4 * eps);
              energy +=
                cell.volume * (i < 3 ? 0.5 : 1.) * elastic[i] * stress[i];
            }
        EXPECT_NEAR(result.strain_energy, energy, 1e4 * eps);
      }
  }


  /// A body that is free follows an expansion e = 0.1 + 0.2 x without stress,
  /// so that the expansion has the load of this displacement.
  TYPED_TEST(ExpansionOf, AFreeBody)
  {
    constexpr int dim = TypeParam::dim;
    Problem<TypeParam> problem(
      2,
      [](const dealii::Point<dim> &p, const int c) {
        if (c > 0)
          return (0.1 + 0.2 * p[0]) * p[c];
        double u = 0.1 * p[0] + 0.1 * p[0] * p[0];
        for (int d = 1; d < dim; ++d)
          u -= 0.1 * p[d] * p[d];
        return u;
      },
      false);
    problem.across.values = {0, 0, 0, -0.2, -0.3};
    Coefficient expansion{Coefficient::Kind::per_quadrature_point, 3, {}};
    const auto points = quadrature_points(problem.space);
    for (std::size_t i = 0; i < points.size(); i += dim)
      for (int d = 0; d < 3; ++d)
        expansion.values.push_back(0.1 + 0.2 * points[i]);
    for (const bool b_bar : {false, true})
      {
        const StressProblem<dim> free = with(problem, expansion, b_bar);
        EXPECT_LT(compute_stresses<dim>(free).largest_von_mises.value, 1e-12);
        EXPECT_LT(internal_forces<dim>(free).linfty_norm(), 1e-12);
        EXPECT_LT(nodal_stresses<dim>(free).von_mises.linfty_norm(), 1e-12);
      }

    // Without displacement, the internal forces are minus the load.
    const auto of_displacement = internal_forces<dim>(problem);
    EXPECT_GT(of_displacement.linfty_norm(), 0.01);
    problem.u = 0;
    auto sum  = internal_forces<dim>(with(problem, expansion));
    sum += of_displacement;
    EXPECT_LT(sum.linfty_norm(), 1e-12);
  }


  TEST(Expansion, HasThreeComponents)
  {
    const Problem<Cells<CellType::triangle>> problem(1, linear<2>);
    const Coefficient wrong{Coefficient::Kind::uniform, 2, {1, 1}};
    EXPECT_THROW(compute_stresses<2>(with(problem, wrong)), std::length_error);
  }
} // namespace

#include "stress_problem.h"

#include <tessera/base/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  void
  expect_near(const SymmetricComponents &is, const SymmetricComponents &should,
              const double tolerance)
  {
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(is[i], should[i], tolerance) << i;
  }

  /// Returns the strain of `linear`, where eps_zz is e13 eps_xx + e23 eps_yy.
  SymmetricComponents
  strain_of_linear(const int dim, const double e13 = 0, const double e23 = 0)
  {
    if (dim == 2)
      return {0.5, -1.5, e13 * 0.5 - e23 * 1.5, 0.25, 0, 0};
    return {0.5, -1.5, 0.25, 0.25, 1.5, 0.25};
  }

  // 10 0.5 - 2 1.5 = 2 and so on.
  SymmetricComponents
  stress_of_linear(const int dim)
  {
    if (dim == 2)
      return {2, -17, -4.5, 3.5, 0, 0};
    return {2.75, -16, -0.75, 3.5, 18, 2.5};
  }

  template <class C>
  class StressesOn : public testing::Test
  {};

  using AllCells =
    testing::Types<Cells<CellType::quadrilateral>, Cells<CellType::hexahedron>,
                   Cells<CellType::triangle>, Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(StressesOn, AllCells);


  TYPED_TEST(StressesOn, LinearDisplacements)
  {
    constexpr int dim = TypeParam::dim;
    for (int degree = 1; degree <= 2; ++degree)
      {
        const Problem<TypeParam> problem(degree, linear<dim>);
        const auto strain      = strain_of_linear(dim),
                   stress      = stress_of_linear(dim);
        const auto result      = compute_stresses<dim>(problem);
        const double tolerance = 1e4 * eps;
        double volume = 0, energy = 0;
        for (const auto &cell : result.cells)
          {
            expect_near(cell.strain, strain, tolerance);
            expect_near(cell.stress, stress, tolerance);
            EXPECT_NEAR(cell.von_mises, von_mises(stress), tolerance);
            for (int i = 0; i < 3; ++i)
              EXPECT_NEAR(cell.principal[i], principal_stresses(stress)[i],
                          tolerance);
            volume += cell.volume;
          }
        for (int i = 0; i < 6; ++i)
          energy += (i < 3 ? 0.5 : 1.) * strain[i] * stress[i] * volume;
        EXPECT_NEAR(result.strain_energy, energy, tolerance);
        EXPECT_NEAR(result.largest_von_mises.value, von_mises(stress),
                    tolerance);
        EXPECT_NEAR(result.largest_principal.value,
                    principal_stresses(stress)[0], tolerance);
        EXPECT_NEAR(result.smallest_principal.value,
                    principal_stresses(stress)[2], tolerance);

        const auto smooth = nodal_stresses<dim>(problem);
        for (int n = 0; n < problem.cells->n_nodes(); ++n)
          {
            for (int i = 0; i < 6; ++i)
              EXPECT_NEAR(smooth.stress[i][n], stress[i], tolerance);
            EXPECT_NEAR(smooth.von_mises[n], von_mises(stress), tolerance);
          }
      }
  }


  /// A uniform strain in materials that differ between cells or points.
  TYPED_TEST(StressesOn, CoefficientsThatVary)
  {
    constexpr int dim      = TypeParam::dim;
    const auto stress      = stress_of_linear(dim);
    const double tolerance = 1e4 * eps;
    const auto times       = [&](const double factor) {
      SymmetricComponents result = stress;
      for (double &s : result)
        s *= factor;
      return result;
    };
    Problem<TypeParam> two(1, linear<dim>);
    two.vary(Coefficient::Kind::per_cell,
             [](const int material, const double) { return 1. + material; });
    auto result = compute_stresses<dim>(two);
    for (const auto &cell : two.mesh.triangulation().active_cell_iterators())
      expect_near(result.cells[cell->active_cell_index()].stress,
                  times(1. + cell->material_id()), tolerance);

    Problem<TypeParam> graded(2, linear<dim>, false);
    graded.vary(Coefficient::Kind::per_quadrature_point,
                [](const int, const double x) { return 1 + x; });
    result = compute_stresses<dim>(graded);
    for (const auto &cell : result.cells)
      expect_near(cell.stress, times(1 + cell.centre[0]), tolerance);
    double largest    = 0;
    const auto points = quadrature_points(graded.space);
    for (std::size_t i = 0; i < points.size(); i += dim)
      largest = std::max(largest, points[i]);
    EXPECT_NEAR(result.largest_von_mises.value,
                (1 + largest) * von_mises(stress), tolerance);
    EXPECT_NEAR(result.largest_von_mises.point[0], largest, 10 * eps);

    // A stiffness that is linear in x is so at nodes, too.
    if (is_simplex(TypeParam::cell_type))
      return;
    dealii::DoFHandler<dim> nodes(graded.mesh.triangulation());
    nodes.distribute_dofs(*graded.scalar);
    const auto smooth = nodal_stresses<dim>(graded);
    const auto x      = node_points(*graded.mapping, nodes);
    for (unsigned int dof = 0; dof < x.size(); ++dof)
      EXPECT_NEAR(smooth.stress[1][dof], (1 + x[dof][0]) * stress[1],
                  tolerance);
  }


  /// The stress of a quadratic displacement is linear, so elements of degree 2
  /// have it at every point.
  TYPED_TEST(StressesOn, QuadraticDisplacements)
  {
    constexpr int dim = TypeParam::dim;
    const Problem<TypeParam> problem(
      2, [](const dealii::Point<dim> &p, const int c) {
        return c == 0 ? p[0] * p[0] + 1 : c == 1 ? p[0] * p[1] : p[1] * p[2];
      });
    const auto stress = [](const dealii::Point<dim> &p) -> SymmetricComponents {
      const double x = p[0], y = p[1], z = p[dim - 1];
      if (dim == 2) // eps_xx = 2x, eps_yy = x, eps_xy = y / 2
        return {22 * x, 16 * x, 10 * x, 7 * y, 0, 0};
      // Besides eps_zz = y, eps_yz = z / 2.
      return {22 * x + 3 * y, 16 * x + 4 * y, 10 * x + 15 * y, 7 * y, 0, 5 * z};
    };
    const double tolerance = 1e5 * eps;
    const auto result      = compute_stresses<dim>(problem);
    for (const auto &cell : result.cells)
      expect_near(cell.stress, stress(cell.centre), tolerance);

    dealii::DoFHandler<dim> nodes(problem.mesh.triangulation());
    nodes.distribute_dofs(*problem.scalar);
    const auto smooth = nodal_stresses<dim>(problem);
    double largest_u  = 0;
    const auto x      = node_points(*problem.mapping, nodes);
    for (unsigned int dof = 0; dof < x.size(); ++dof)
      {
        const auto &p = x[dof];
        for (int i = 0; i < 6; ++i)
          EXPECT_NEAR(smooth.stress[i][dof], stress(p)[i], tolerance);
        EXPECT_NEAR(smooth.von_mises[dof], von_mises(stress(p)), tolerance);
        const double z = dim == 2 ? 0 : p[dim - 1];
        largest_u      = std::max(
               largest_u, std::hypot(p[0] * p[0] + 1, p[0] * p[1], p[1] * z));
      }
    EXPECT_NEAR(result.largest_displacement.value, largest_u, tolerance);
    const auto at  = result.largest_displacement.point;
    const double z = dim == 2 ? 0 : at[dim - 1];
    EXPECT_NEAR(std::hypot(at[0] * at[0] + 1, at[0] * at[1], at[1] * z),
                largest_u, tolerance);

    double most = 0, first = -1e300, last = 1e300;
    const auto points = quadrature_points(problem.space);
    for (std::size_t i = 0; i < points.size(); i += dim)
      {
        dealii::Point<dim> p;
        for (int d = 0; d < dim; ++d)
          p[d] = points[i + d];
        most  = std::max(most, von_mises(stress(p)));
        first = std::max(first, principal_stresses(stress(p))[0]);
        last  = std::min(last, principal_stresses(stress(p))[2]);
      }
    EXPECT_NEAR(result.largest_von_mises.value, most, tolerance);
    EXPECT_NEAR(von_mises(stress(result.largest_von_mises.point)), most,
                tolerance);
    EXPECT_NEAR(result.largest_principal.value, first, tolerance);
    EXPECT_NEAR(principal_stresses(stress(result.largest_principal.point))[0],
                first, tolerance);
    EXPECT_NEAR(result.smallest_principal.value, last, tolerance);
    EXPECT_NEAR(principal_stresses(stress(result.smallest_principal.point))[2],
                last, tolerance);
  }


  TEST(Stresses, OfPlaneModels)
  {
    using C            = Cells<CellType::quadrilateral>;
    const double young = 200, nu = 0.25, mu = 80, lambda = 80;
    for (const Plane plane : {Plane::strain, Plane::stress})
      {
        Problem<C> problem(1, linear<2>);
        problem.stiffness  = isotropic_stiffness(2, young, nu, plane);
        problem.across     = isotropic_across(young, nu, plane);
        const double e     = plane == Plane::strain ? 0 : -nu / (1 - nu);
        const auto strain  = strain_of_linear(2, e, e);
        const double trace = strain[0] + strain[1] + strain[2];
        for (const auto &cell : compute_stresses<2>(problem).cells)
          {
            expect_near(cell.strain, strain, 1e3 * eps);
            expect_near(cell.stress,
                        {lambda * trace + 2 * mu * strain[0],
                         lambda * trace + 2 * mu * strain[1],
                         plane == Plane::strain ? lambda * trace : 0.,
                         2 * mu * strain[3], 0, 0},
                        1e5 * eps);
          }
      }
  }


  TEST(Stresses, VonMisesAndPrincipal)
  {
    for (int i = 3; i < 6; ++i)
      {
        SymmetricComponents shear{};
        shear[i] = -7;
        EXPECT_NEAR(von_mises(shear), std::sqrt(3.) * 7, 10 * eps * 7);
        const auto s = principal_stresses(shear);
        EXPECT_NEAR(s[0], 7, 100 * eps);
        EXPECT_NEAR(s[1], 0, 100 * eps);
        EXPECT_NEAR(s[2], -7, 100 * eps);
      }
    EXPECT_EQ(von_mises({5, 5, 5, 0, 0, 0}), 0);
    EXPECT_EQ(von_mises({0, -5, 0, 0, 0, 0}), 5);
    // 9 n n^T with n = (1, 2, 2) / 3: a uniaxial stress, which has two equal
    // principal stresses.
    const SymmetricComponents uniaxial{1, 4, 4, 2, 2, 4};
    EXPECT_NEAR(von_mises(uniaxial), 9, 90 * eps);
    const auto s = principal_stresses(uniaxial);
    EXPECT_NEAR(s[0], 9, 90 * eps);
    EXPECT_NEAR(s[1], 0, 90 * eps);
    EXPECT_NEAR(s[2], 0, 90 * eps);
    EXPECT_EQ(principal_stresses({-1, 3, 2, 0, 0, 0}),
              (std::array<double, 3>{3, 2, -1}));
    EXPECT_TRUE(std::isnan(principal_stresses({0, 0, 0, 0, 0, NAN})[0]));
  }


  template <class C>
  void
  check_file(const std::string &header)
  {
    constexpr int dim = C::dim;
    const Problem<C> problem(1, linear<dim>);
    const auto stresses    = compute_stresses<dim>(problem);
    const std::string path = testing::TempDir() + "/stresses.csv";
    write_cell_stresses<dim>(path, problem.mesh, stresses);
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, header);
    for (const auto &cell :
         problem.mesh.triangulation().active_cell_iterators())
      {
        const auto &of_cell = stresses.cells[cell->active_cell_index()];
        std::vector<double> expected{double(cell->active_cell_index())};
        for (int d = 0; d < dim; ++d)
          expected.push_back(of_cell.centre[d]);
        expected.push_back(cell->material_id());
        expected.push_back(of_cell.volume);
        for (const auto &tensor : {of_cell.strain, of_cell.stress})
          expected.insert(expected.end(), tensor.begin(),
                          tensor.begin() + (dim == 2 ? 4 : 6));
        expected.insert(expected.end(), of_cell.principal.begin(),
                        of_cell.principal.end());
        expected.push_back(of_cell.von_mises);
        std::vector<double> is;
        std::getline(in, line);
        std::stringstream row(line);
        for (std::string number; std::getline(row, number, ',');)
          is.push_back(std::stod(number));
        EXPECT_EQ(is, expected);
      }
    EXPECT_FALSE(std::getline(in, line));
    std::remove(path.c_str());
    EXPECT_THROW(write_cell_stresses<dim>("/no/such/folder/stresses.csv",
                                          problem.mesh, stresses),
                 Error);
  }

  TEST(Stresses, AreWrittenCellByCell)
  {
    check_file<Cells<CellType::triangle>>(
      "cell,x,y,material,volume,eps_xx,eps_yy,eps_zz,eps_xy,sigma_xx,sigma_yy,"
      "sigma_zz,sigma_xy,sigma_1,sigma_2,sigma_3,von_mises");
    check_file<Cells<CellType::hexahedron>>(
      "cell,x,y,z,material,volume,eps_xx,eps_yy,eps_zz,eps_xy,eps_xz,eps_yz,"
      "sigma_xx,sigma_yy,sigma_zz,sigma_xy,sigma_xz,sigma_yz,sigma_1,sigma_2,"
      "sigma_3,von_mises");
  }


  TEST(Stresses, RefuseWrongInput)
  {
    Problem<Cells<CellType::triangle>> problem(1, linear<2>);
    problem.u[0] = NAN;
    EXPECT_THROW(compute_stresses<2>(problem), Error);
    problem.across = Coefficient::scalar(0);
    EXPECT_THROW(compute_stresses<2>(problem), std::length_error);
    problem.across    = isotropic_across(1, 0, Plane::stress);
    problem.stiffness = Coefficient::tensor(1, 0, 1);
    EXPECT_THROW(internal_forces<2>(problem), std::length_error);
  }
} // namespace

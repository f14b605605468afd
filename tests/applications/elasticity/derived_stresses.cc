#include "stress_problem.h"

#include "derived_stresses.h"
#include <tessera/fem/fields/point_locator.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  constexpr double tolerance = 1e5 * eps;

  template <class C>
  class DerivedStressesOn : public testing::Test
  {};

  using AllCells =
    testing::Types<Cells<CellType::quadrilateral>, Cells<CellType::hexahedron>,
                   Cells<CellType::triangle>, Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(DerivedStressesOn, AllCells);


  /// The average of a stress that jumps between cells of different volumes is
  /// weighted with these.
  TYPED_TEST(DerivedStressesOn, AreWeightedWithVolumes)
  {
    constexpr int dim = TypeParam::dim;
    Problem<TypeParam> problem(1, linear<dim>);
    const StressProblem<dim> stresses(problem);
    const double of_one = compute_stresses(stresses).cells[0].stress[1];
    problem.vary(
      Coefficient::Kind::per_cell,
      [](const int material, const double) { return 3. * material; });
    const auto cells = compute_stresses(stresses).cells;
    dealii::DoFHandler<dim> nodes(problem.mesh.triangulation());
    nodes.distribute_dofs(*problem.scalar);
    std::vector<double> sums(nodes.n_dofs()), volumes(nodes.n_dofs()),
      unweighted(nodes.n_dofs()), n_cells(nodes.n_dofs());
    std::vector<dealii::types::global_dof_index> dofs(
      problem.scalar->n_dofs_per_cell());
    for (const auto &cell : nodes.active_cell_iterators())
      {
        const double stress = 3. * cell->material_id() * of_one,
                     volume = cells[cell->active_cell_index()].volume;
        cell->get_dof_indices(dofs);
        for (const auto dof : dofs)
          {
            sums[dof] += volume * stress;
            volumes[dof] += volume;
            unweighted[dof] += stress;
            n_cells[dof] += 1;
          }
      }
    const auto smooth = nodal_stresses(stresses);
    double difference = 0;
    for (unsigned int dof = 0; dof < nodes.n_dofs(); ++dof)
      {
        const double mean = sums[dof] / volumes[dof];
        EXPECT_NEAR(smooth.stress[1][dof], mean, tolerance) << dof;
        difference =
          std::max(difference, std::abs(unweighted[dof] / n_cells[dof] - mean));
      }
    EXPECT_GT(difference, 0.01 * std::abs(of_one));
  }


  /// Points that are no nodes, two of them in the same cell.
  template <int dim>
  std::vector<dealii::Point<dim>>
  points_in_cells(const dealii::Mapping<dim> &mapping,
                  const dealii::Triangulation<dim> &mesh)
  {
    std::vector<dealii::Point<dim>> points;
    for (const auto &cell : mesh.active_cell_iterators())
      for (const double x : {0.15, 0.3})
        {
          dealii::Point<dim> inside;
          for (int d = 0; d < dim; ++d)
            inside[d] = x - 0.05 * d;
          points.push_back(mapping.transform_unit_to_real_cell(cell, inside));
        }
    return points;
  }


  /// Expects these columns, [n_points][n_columns], of a strain and a stress.
  template <int dim>
  void
  expect_columns(const std::vector<double> &values, const std::size_t point,
                 const SymmetricComponents &strain,
                 const SymmetricComponents &stress, const double accuracy)
  {
    constexpr int n = dim == 2 ? 4 : 6, n_columns = 2 * n + 4;
    const double *const row = &values[point * n_columns];
    for (int i = 0; i < n; ++i)
      {
        EXPECT_NEAR(row[i], strain[i], accuracy) << i;
        EXPECT_NEAR(row[n + i], stress[i], accuracy) << i;
      }
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(row[2 * n + i], principal_stresses(stress)[i], accuracy);
    EXPECT_NEAR(row[2 * n + 3], von_mises(stress), accuracy);
  }


  /// Quadratic displacements have linear stresses, which elements of degree 2
  /// have at every point.
  TYPED_TEST(DerivedStressesOn, InCells)
  {
    constexpr int dim = TypeParam::dim;
    const Problem<TypeParam> problem(
      2, [](const dealii::Point<dim> &p, const int c) {
        return c == 0 ? p[0] * p[0] + 1 : c == 1 ? p[0] * p[1] : p[1] * p[2];
      });
    const auto derived =
      derived_stresses<dim>(StressProblem<dim>(problem), names_of_stresses());
    const auto points =
      points_in_cells(*problem.mapping, problem.mesh.triangulation());
    const PointLocator<dim> locator(*problem.cells, points);
    const auto values  = locator.values_in_cells(*derived);
    const auto fields  = smooth(*derived, *problem.cells);
    const auto columns = derived->columns();
    ASSERT_EQ(fields.size(), columns.size());
    std::vector<double> smoothed(values.size());
    for (std::size_t k = 0; k < fields.size(); ++k)
      {
        const auto of_field = locator.values(fields[k]);
        for (std::size_t i = 0; i < points.size(); ++i)
          smoothed[i * fields.size() + k] = of_field[i];
      }
    for (std::size_t i = 0; i < points.size(); ++i)
      {
        const double x = points[i][0], y = points[i][1], z = points[i][dim - 1];
        SymmetricComponents strain{2 * x, x, 0, y / 2, 0, 0},
          stress{22 * x, 16 * x, 10 * x, 7 * y, 0, 0};
        if (dim == 3)
          {
            strain = {2 * x, x, y, y / 2, 0, z / 2};
            stress = {22 * x + 3 * y, 16 * x + 4 * y, 10 * x + 15 * y, 7 * y, 0,
                      5 * z};
          }
        // Newton's iterations for the reference point end at about 1e-10.
        expect_columns<dim>(values, i, strain, stress, 1e-7);
        // Numbers that are no linear functions are interpolated.
        for (std::size_t k = 0; k < (dim == 2 ? 8 : 12); ++k)
          EXPECT_NEAR(smoothed[i * columns.size() + k],
                      values[i * columns.size() + k], 1e-7)
            << columns[k];
      }
  }


  /// A stiffness that varies within cells is fitted at points that are no
  /// quadrature points; projected volume strains are evaluated there.
  TYPED_TEST(DerivedStressesOn, OfVaryingStiffness)
  {
    constexpr int dim = TypeParam::dim;
    if (is_simplex(TypeParam::cell_type)) // the rule is not exact enough
      return;
    for (const bool b_bar : {false, true})
      {
        Problem<TypeParam> problem(2, linear<dim>, false);
        problem.vary(Coefficient::Kind::per_quadrature_point,
                     [](const int, const double x) { return 1 + x; });
        StressProblem<dim> stresses(problem);
        stresses.b_bar     = b_bar;
        const auto derived = derived_stresses<dim>(stresses, {"stress"});
        const auto points =
          points_in_cells(*problem.mapping, problem.mesh.triangulation());
        const PointLocator<dim> locator(*problem.cells, points);
        const auto values   = locator.values_in_cells(*derived);
        const double of_one = dim == 2 ? -17 : -16; // 2 0.5 - 12 1.5 + ...
        for (std::size_t i = 0; i < points.size(); ++i)
          EXPECT_NEAR(values[i * (dim == 2 ? 4 : 6) + 1],
                      (1 + points[i][0]) * of_one, 1e-7);
      }
  }


  TEST(DerivedStresses, NamesOfColumns)
  {
    using Names = std::vector<std::string>;
    EXPECT_EQ(names_of_stresses(),
              (Names{"strain", "stress", "principal_stress", "von_mises"}));
    const Problem<Cells<CellType::triangle>> plane(1, linear<2>);
    EXPECT_EQ(
      derived_stresses<2>(plane, {"von_mises", "stress"})->columns(),
      (Names{"von_mises", "stress_xx", "stress_yy", "stress_zz", "stress_xy"}));
    const Problem<Cells<CellType::hexahedron>> space(1, linear<3>);
    EXPECT_EQ(
      derived_stresses<3>(space, {"strain", "principal_stress"})->columns(),
      (Names{"strain_xx", "strain_yy", "strain_zz", "strain_xy", "strain_xz",
             "strain_yz", "principal_stress_1", "principal_stress_2",
             "principal_stress_3"}));
    EXPECT_THROW(derived_stresses<2>(plane, {"pressure"}), std::out_of_range);
  }
} // namespace

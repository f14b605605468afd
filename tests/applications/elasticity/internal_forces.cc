#include "stress_problem.h"

#include "test.h"
#include <tessera/assembly/form_data.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/forms/elasticity_b_bar.h>
#include <tessera/operators/matrix_free.h>
#include <tessera/space/partition.h>

#include <deal.II/fe/fe_values.h>

#include <gtest/gtest.h>

#include <omp.h>

#include <cmath>
#include <random>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  template <class C>
  class ForcesOn : public testing::Test
  {};

  using AllCells =
    testing::Types<Cells<CellType::quadrilateral>, Cells<CellType::hexahedron>,
                   Cells<CellType::triangle>, Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(ForcesOn, AllCells);


  /// Compares with sums of deal.II's shape functions and a tensor of fourth
  /// order.
  TYPED_TEST(ForcesOn, RandomDisplacements)
  {
    constexpr int dim = TypeParam::dim;
    test::Problem<TypeParam> problem(2, linear<dim>);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> numbers(-1, 1);
    for (double &value : problem.u)
      value = numbers(random);
    problem.vary(
      Coefficient::Kind::per_quadrature_point,
      [](const int material, const double x) { return material + x * x; });
    const auto forces = internal_forces<dim>(problem);

    dealii::FEValues<dim> values(*problem.mapping, problem.fe,
                                 cell_quadrature<dim>(TypeParam::cell_type, 2),
                                 dealii::update_gradients |
                                   dealii::update_quadrature_points |
                                   dealii::update_JxW_values);
    const dealii::FEValuesExtractors::Vector extractor(0);
    const auto &view            = values[extractor];
    const std::vector<double> c = orthotropic<dim>().values;
    dealii::SymmetricTensor<4, dim> tensor;
    for (int i = 0; i < dim; ++i)
      for (int k = i; k < dim; ++k)
        {
          tensor[i][i][k][k] = tensor[k][k][i][i] =
            c[i == 0     ? k
              : dim == 2 ? 2
                         : 2 + i + k - 1];
          if (i != k)
            tensor[i][k][i][k] = dim == 2 ? c[3]
                                          : c[i + k == 3   ? 6
                                              : i + k == 2 ? 7
                                                           : 8];
        }
    dealii::Vector<double> expected(forces.size()), size(forces.size());
    std::vector<dealii::types::global_dof_index> dofs(values.dofs_per_cell);
    for (const auto &cell : problem.dof_handler.active_cell_iterators())
      {
        values.reinit(cell);
        cell->get_dof_indices(dofs);
        for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
          for (unsigned int i = 0; i < dofs.size(); ++i)
            for (unsigned int j = 0; j < dofs.size(); ++j)
              {
                const double x     = values.quadrature_point(q)[0];
                const double entry = values.JxW(q) *
                                     (cell->material_id() + x * x) *
                                     (view.symmetric_gradient(i, q) *
                                      (tensor * view.symmetric_gradient(j, q)));
                expected[dofs[i]] += entry * problem.u[dofs[j]];
                size[dofs[i]] += std::abs(entry * problem.u[dofs[j]]);
              }
      }
    dealii::Vector<double> rotation(forces.size());
    const Displacement<dim> turn([](const dealii::Point<dim> &p, const int i) {
      return i == 0   ? 2 * p[1] - 3 * p[dim - 1] * (dim - 2)
             : i == 1 ? 4 * p[dim - 1] * (dim - 2) - 2 * p[0]
                      : 3 * p[0] - 4 * p[1];
    });
    dealii::VectorTools::interpolate(*problem.mapping, problem.dof_handler,
                                     turn, rotation);
    for (unsigned int i = 0; i < forces.size(); ++i)
      EXPECT_NEAR(forces[i], expected[i], 20 * eps * size[i]);
    for (int d = 0; d < dim; ++d)
      {
        dealii::Vector<double> one(forces.size());
        dealii::VectorTools::interpolate(
          *problem.mapping, problem.dof_handler,
          Displacement<dim>([d](const dealii::Point<dim> &, const int i) {
            return i == d ? 1. : 0.;
          }),
          one);
        EXPECT_NEAR(one * forces, 0, 20 * eps * size.l1_norm());
      }
    EXPECT_NEAR(rotation * forces, 0, 100 * eps * size.l1_norm());
    EXPECT_NEAR(compute_stresses<dim>(problem).strain_energy,
                0.5 * (problem.u * forces), 20 * eps * size.l1_norm());

    // Results have the same bits for every number of threads.
    const int threads = omp_get_max_threads();
    const auto before = compute_stresses<dim>(problem);
    const auto smooth = nodal_stresses<dim>(problem);
    omp_set_num_threads(3);
    EXPECT_EQ(internal_forces<dim>(problem), forces);
    const auto after = compute_stresses<dim>(problem);
    EXPECT_EQ(after.strain_energy, before.strain_energy);
    EXPECT_EQ(after.largest_principal.point, before.largest_principal.point);
    EXPECT_EQ(nodal_stresses<dim>(problem).von_mises, smooth.von_mises);
    omp_set_num_threads(threads);
  }


  /// Forces, energies and means of projected strains equal the results of the
  /// form by which the displacement is computed.
  TYPED_TEST(ForcesOn, AreThoseOfProjectedStrains)
  {
    constexpr int dim = TypeParam::dim;
    for (const int degree : {1, 2})
      {
        test::Problem<TypeParam> problem(degree, linear<dim>);
        std::mt19937 random(5);
        std::uniform_real_distribution<double> numbers(-1, 1);
        for (double &value : problem.u)
          value = numbers(random);
        problem.vary(
          Coefficient::Kind::per_quadrature_point,
          [](const int material, const double x) { return material + x * x; });
        const auto pointwise        = compute_stresses<dim>(problem);
        StressProblem<dim> of_b_bar = problem;
        of_b_bar.b_bar              = true;
        const auto forces           = internal_forces<dim>(of_b_bar);

        dealii::AffineConstraints<double> none;
        none.close();
        const auto dofs =
          flatten(*problem.mapping, problem.dof_handler, none).dofs;
        for (const Backend backend : test::backends())
          for (const bool b_bar : {false, true})
            {
              const auto cells = std::make_shared<const CellData<double>>(
                std::make_shared<const Space>(problem.space), backend);
              const MatrixFree<double> A(
                cells,
                std::make_shared<const FormData<double>>(
                  b_bar ? elasticity_b_bar(problem.stiffness)
                        : elasticity(problem.stiffness),
                  *cells),
                default_conflict(backend));
              auto u = cells->make_vector(), product = cells->make_vector();
              import_dofs(u, problem.space, problem.u, dofs);
              A.apply_add(product, u, CellRange::all);
              const auto expected = product.to_vector();
              const auto found = b_bar ? forces : internal_forces<dim>(problem);
              for (unsigned int i = 0; i < found.size(); ++i)
                EXPECT_NEAR(found[dof_of_entry(problem.space, dofs, i)],
                            expected[i], 1e3 * eps * found.linfty_norm());
            }

        const auto stresses = compute_stresses<dim>(of_b_bar);
        EXPECT_NEAR(stresses.strain_energy, 0.5 * (problem.u * forces),
                    1e3 * eps * stresses.strain_energy);
        // On affine simplices of degree 1 there is nothing to project.
        const bool same = degree == 1 && is_simplex(TypeParam::cell_type);
        if (same)
          EXPECT_NEAR(stresses.strain_energy, pointwise.strain_energy,
                      1e3 * eps * stresses.strain_energy);
        else
          EXPECT_LT(stresses.strain_energy, pointwise.strain_energy);
        for (std::size_t c = 0; c < stresses.cells.size(); ++c)
          for (int i = 0; i < 6; ++i)
            EXPECT_NEAR(stresses.cells[c].strain[i],
                        pointwise.cells[c].strain[i], 1e-12);
      }
  }


  /// Each part has a space and coefficients of its own cells.
  TYPED_TEST(ForcesOn, PartsAddUpToTheMesh)
  {
    constexpr int dim = TypeParam::dim;
    test::Problem<TypeParam> problem(2, linear<dim>);
    const auto factor = [](const int material, const double x) {
      return material + x * x;
    };
    const test::Problem<TypeParam> uniform(2, linear<dim>);
    problem.vary(Coefficient::Kind::per_quadrature_point, factor);
    const auto whole = internal_forces<dim>(problem);

    dealii::AffineConstraints<double> none;
    none.close();
    const Connectivity mesh =
      flatten(*problem.mapping, problem.dof_handler, none).connectivity;
    std::vector<int> part(mesh.n_cells());
    for (std::size_t c = 0; c < part.size(); ++c)
      part[c] = static_cast<int>(c % 3);
    dealii::Vector<double> sum(whole.size());
    for (const Part &each : partition(mesh, part, 3))
      {
        problem.space     = each.space;
        problem.stiffness = uniform.stiffness;
        problem.across    = uniform.across;
        problem.vary(Coefficient::Kind::per_quadrature_point, factor);
        sum += internal_forces<dim>(problem);
        EXPECT_THROW(compute_stresses<dim>(problem), std::length_error);
      }
    sum -= whole;
    EXPECT_LT(sum.linfty_norm(), 100 * eps * whole.linfty_norm());
  }
} // namespace

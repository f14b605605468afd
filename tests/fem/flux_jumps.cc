#include <tessera/fem/fields/flux_jumps.h>

#include <deal.II/base/function_lib.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q1.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>

#include <deal.II/numerics/error_estimator.h>
#include <deal.II/numerics/vector_tools_interpolate.h>

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace
{
  using namespace tessera;

  /// Two by two (by two) cells, of which some are divided once more.
  template <int dim>
  void
  make_mesh(dealii::Triangulation<dim> &mesh)
  {
    dealii::GridGenerator::hyper_cube(mesh);
    mesh.refine_global(1);
    for (int times = 0; times < 2; ++times)
      {
        unsigned int number = 0;
        for (const auto &cell : mesh.active_cell_iterators())
          if (number++ % 3 == 0)
            cell->set_refine_flag();
        mesh.execute_coarsening_and_refinement();
      }
    EXPECT_TRUE(mesh.has_hanging_nodes());
  }

  /// kappa of a formula, of which each cell has a multiple.
  template <int dim>
  std::function<Conductivity<dim>()>
  isotropic(const std::function<double(
              const typename dealii::DoFHandler<dim>::active_cell_iterator &,
              const dealii::Point<dim> &)> &kappa)
  {
    return [kappa]() {
      return [kappa](const auto &cell, const dealii::Point<dim> &p) {
        return kappa(cell, p) * dealii::unit_symmetric_tensor<dim>();
      };
    };
  }

  /// For a continuous coefficient and random values on distorted cells, the
  /// indicators equal deal.II's.
  template <int dim>
  void
  check_against_kelly(const int degree)
  {
    SCOPED_TRACE(std::to_string(dim) + "D, degree " + std::to_string(degree));
    dealii::Triangulation<dim> mesh;
    make_mesh(mesh);
    dealii::GridTools::transform(
      [](dealii::Point<dim> p) {
        p[0] += 0.1 * p[1] * p[1] + 0.05 * p[dim - 1];
        return p;
      },
      mesh);
    const dealii::FE_Q<dim> fe(degree);
    const dealii::MappingQ1<dim> mapping;
    dealii::DoFHandler<dim> dofs(mesh);
    dofs.distribute_dofs(fe);
    dealii::Vector<double> u(dofs.n_dofs());
    std::mt19937 random(7);
    for (double &value : u)
      value = std::uniform_real_distribution<double>(-1, 1)(random);

    const dealii::ScalarFunctionFromFunctionObject<dim> kappa(
      [](const dealii::Point<dim> &p) { return 1 + p[0] + 2 * p[1]; });
    dealii::Vector<float> expected(mesh.n_active_cells());
    dealii::KellyErrorEstimator<dim>::estimate(
      mapping, dofs, dealii::QGauss<dim - 1>(degree + 1), {}, u, expected, {},
      &kappa);
    const auto found = flux_jumps<dim>(
      mapping, dofs, u, isotropic<dim>([](const auto &, const auto &p) {
        return 1 + p[0] + 2 * p[1];
      }));
    // Jumps are of the size of the gradients, which inverses of h multiply.
    const float tolerance = 64 * std::numeric_limits<float>::epsilon();
    for (unsigned int cell = 0; cell < mesh.n_active_cells(); ++cell)
      EXPECT_NEAR(found[cell], expected[cell], tolerance * expected[cell])
        << "cell " << cell;
  }

  /// A function whose flux is continuous where kappa jumps from 1 to 10 has no
  /// jumps, also where nodes hang; its gradient has.
  template <int dim>
  void
  check_interface(const int degree)
  {
    SCOPED_TRACE(std::to_string(dim) + "D, degree " + std::to_string(degree));
    dealii::Triangulation<dim> mesh;
    make_mesh(mesh);
    const dealii::FE_Q<dim> fe(degree);
    const dealii::MappingQ1<dim> mapping;
    dealii::DoFHandler<dim> dofs(mesh);
    dofs.distribute_dofs(fe);
    const auto kappa_at = [](const double x) { return x < 0.5 ? 1. : 10.; };
    const dealii::ScalarFunctionFromFunctionObject<dim> exact(
      [&](const dealii::Point<dim> &p) {
        return (p[0] - 0.5) / kappa_at(p[0]) + 2 * p[1];
      });
    dealii::Vector<double> u(dofs.n_dofs());
    dealii::VectorTools::interpolate(mapping, dofs, exact, u);
    const auto at_centre = [&](const auto &cell, const auto &) {
      return kappa_at(cell->center()[0]);
    };
    const auto jumps =
      flux_jumps<dim>(mapping, dofs, u, isotropic<dim>(at_centre));
    EXPECT_LT(jumps.linfty_norm(), 1e-12);
    const auto of_gradient = flux_jumps<dim>(
      mapping, dofs, u,
      isotropic<dim>([](const auto &, const auto &) { return 1.; }));
    EXPECT_GT(of_gradient.linfty_norm(), 0.01);
  }
} // namespace


TEST(FluxJumps, AreThoseOfDealIIForAContinuousCoefficient)
{
  for (const int degree : {1, 2, 3})
    check_against_kelly<2>(degree);
  for (const int degree : {1, 2})
    check_against_kelly<3>(degree);
}


TEST(FluxJumps, AreZeroWhereTheFluxIsContinuous)
{
  check_interface<2>(1);
  check_interface<2>(2);
  check_interface<3>(1);
}

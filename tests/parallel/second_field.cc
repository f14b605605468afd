#include <tessera/fem/driver/discretization.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>

#include <map>

#include "division_of_test.h"
#include "test.h"

// A temperature beside a displacement on one mesh: each has elements, given
// values and a solution of its own.
namespace tessera
{
  namespace
  {
    template <int dim>
    using Function = std::function<double(const dealii::Point<dim> &, int)>;

    /// Gives values where `place` of a node is true.
    template <int dim, class Place>
    void
    build(Discretization<dim> &d, const Place &place,
          const Function<dim> &values, const int n_components)
    {
      d.build(
        [&]() {
          const CellNodes<dim> &cells = d.cells();
          const auto points           = cells.points();
          dealii::AffineConstraints<double> result;
          for (std::size_t i = 0; i < points.size(); ++i)
            for (int c = 0; c < n_components && place(points[i]); ++c)
              {
                result.add_line(cells.dof(i, c));
                result.set_inhomogeneity(cells.dof(i, c), values(points[i], c));
              }
          result.close();
          return result;
        },
        false, n_components);
    }

    /// Solves for a form without loads, and returns the solution.
    template <int dim>
    std::vector<double>
    solve(Discretization<dim> &d, const Form &form)
    {
      const auto problem = d.template problem<double>();
      LinearSystem<double> system(d, problem, form);
      auto b = problem.make_vector();
      system.lift(b);
      const Solution solution = system.solve(b);
      EXPECT_TRUE(solution.result.converged);
      return solution.values;
    }

    template <int dim>
    void
    expect_values(const Discretization<dim> &d, const std::vector<double> &u,
                  const Function<dim> &values)
    {
      const CellNodes<dim> &cells = d.cells();
      const auto points           = cells.points();
      int n_owned                 = 0;
      for (std::size_t i = 0; i < points.size(); ++i)
        for (int c = 0; c < cells.n_components(); ++c)
          {
            const auto dof = cells.dof(i, c);
            if (!d.owns(dof))
              continue;
            ++n_owned;
            ASSERT_NEAR(u[dof], values(points[i], c), 1e-9) << points[i];
          }
      EXPECT_TRUE(n_owned > 0 || division().n_processes() > 1);
    }

    template <int dim>
    void
    check(const std::string &cell_type, const bool adapts = false)
    {
      SCOPED_TRACE(cell_type + (adapts ? ", adaptive" : ""));
      Parameters parameters;
      declare_discretization(parameters, true);
      LinearSolver::declare(parameters);
      parameters.set("Mesh/Dimension", std::to_string(dim));
      parameters.set("Mesh/Cell type", cell_type);
      parameters.set("Mesh/Distortion", adapts ? "0" : "0.15");
      parameters.set("Mesh/Refinement", adapts ? "adaptive" : "uniform");
      parameters.set("Solver/Relative tolerance", "1e-12");
      const LinearSolver solver(parameters);
      Discretization<dim> displacement(parameters, solver);
      displacement.division             = division();
      displacement.entry.problem.degree = 2;
      displacement.make_mesh();
      const bool is_alone = division().n_processes() == 1;
      if (adapts && is_alone)
        {
          auto &triangulation = displacement.mesh().triangulation();
          triangulation.begin_active()->set_refine_flag();
          triangulation.execute_coarsening_and_refinement();
        }
      Discretization<dim> temperature(displacement, 1);
      EXPECT_EQ(&temperature.mesh(), &displacement.mesh());

      // No heat passes the sides between those with a given temperature.
      const auto at_end = [](const double x) { return x * (1 - x) < 1e-12; };
      const Function<dim> T = [](const auto &p, int) { return 1 + 2 * p[0]; };
      const Function<dim> u = [](const auto &p, const int c) {
        return 3 + (c + 2) * p[0] - p[1];
      };
      build<dim>(
        displacement,
        [&](const auto &p) {
          return std::any_of(p.begin_raw(), p.end_raw(), at_end);
        },
        u, dim);
      const auto space  = displacement.space;
      const auto n_free = displacement.entry.problem.dofs;
      build<dim>(
        temperature, [&](const auto &p) { return at_end(p[0]); }, T, 1);
      EXPECT_EQ(displacement.space, space);
      EXPECT_EQ(displacement.entry.problem.dofs, n_free);
      EXPECT_EQ(displacement.fe->degree, 2u);
      EXPECT_EQ(temperature.fe->degree, 1u);
      EXPECT_EQ(temperature.arrays, displacement.arrays);
      EXPECT_EQ(temperature.local_cells, displacement.local_cells);
      EXPECT_EQ(temperature.deal_ii_cells() == program::LibraryMesh::all,
                adapts);
      EXPECT_EQ(temperature.arrays == nullptr, adapts);
      EXPECT_EQ(temperature.hangs, adapts && is_alone);

      const Form heat   = laplace(Coefficient::scalar(0.7)),
                 forces = elasticity(isotropic_stiffness(dim, 1.3, 0.28));
      const auto first  = solve(temperature, heat);
      expect_values(displacement, solve(displacement, forces), u);
      expect_values(temperature, first, T);
      EXPECT_EQ(solve(temperature, heat), first);
    }
  } // namespace


  TEST(SecondField, HasItsOwnElementsAndGivenValues)
  {
    check<2>("quadrilateral");
    check<2>("triangle");
    check<3>("hexahedron");
    check<3>("tetrahedron");
    check<2>("quadrilateral", true);
    check<3>("hexahedron", true);
  }
} // namespace tessera

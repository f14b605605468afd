#include "mesh_cases.h"

#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/driver/discretization.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/matrix_market.h>

#include <deal.II/numerics/vector_tools_boundary.h>

#include <cmath>
#include <filesystem>

/// The matrix and the right-hand side that --export-matrix writes for a mesh
/// with hanging nodes.
namespace
{
  using namespace tessera;
  using namespace tessera::test;

  /// Given on the boundary of the cube.
  template <int dim>
  struct Given : dealii::Function<dim>
  {
    double
    value(const dealii::Point<dim> &p, unsigned int = 0) const override
    {
      return 1 + p[0] * p[dim - 1] - 2 * p[1];
    }
  };

  template <int dim>
  void
  check(const std::string &operator_name, const int degree)
  {
    SCOPED_TRACE(operator_name + ", " + std::to_string(degree));
    Parameters parameters;
    declare_discretization(parameters, true);
    LinearSolver::declare(parameters);
    parameters.set("Mesh/Initial refinement", "1");
    parameters.set("Mesh/Dimension", std::to_string(dim));
    parameters.set("Operator/Name", operator_name);
    parameters.set("Solver/Relative tolerance", "1e-13");
    const LinearSolver solver(parameters);
    Discretization<dim> d(parameters, solver);
    d.entry.problem.degree = degree;
    make_mesh(d.mesh(), parameters);
    d.mesh().triangulation().begin_active()->set_refine_flag();
    d.mesh().triangulation().execute_coarsening_and_refinement();
    d.build([&]() {
      dealii::AffineConstraints<double> constraints;
      dealii::VectorTools::interpolate_boundary_values(
        *d.mapping, d.dof_handler(), 0, Given<dim>(), constraints);
      constraints.close();
      return constraints;
    });
    const TemporaryFile file(".mtx", "");
    d.matrix_file = file.path;

    const auto problem = d.template problem<double>();
    LinearSystem<double> system(d, problem, laplace(Coefficient::scalar(2.5)));
    auto b = problem.loads(Coefficient::scalar(3.));
    system.lift(b);
    const std::vector<double> right_side = b.to_vector();
    const Solution solution              = system.solve(b);
    ASSERT_TRUE(solution.result.converged);

    const SparseMatrix matrix = read_matrix_market(file.path);
    ASSERT_GT(d.space->n_hanging, 0);
    ASSERT_EQ(matrix.n_rows(), d.space->n_owned);
    ASSERT_EQ(matrix.n_columns, d.space->n_owned);
    const std::string rhs_file = file.path + ".rhs.mtx";
    EXPECT_EQ(read_market_vector(rhs_file),
              std::vector<double>(right_side.begin(),
                                  right_side.begin() + d.space->n_owned));
    std::filesystem::remove(rhs_file);
    std::filesystem::remove(file.path + ".rows.csv");
    auto x = problem.make_vector();
    import_dofs(x, *d.space, solution.values);
    const std::vector<double> values = x.to_vector();
    for (int row = 0; row < matrix.n_rows(); ++row)
      {
        double sum = 0, size = 0;
        for (auto k = matrix.pattern.row_start[row];
             k < matrix.pattern.row_start[row + 1]; ++k)
          {
            const double a =
              matrix.values[k] * values[matrix.pattern.columns[k]];
            sum += a;
            size += std::abs(a);
          }
        EXPECT_NEAR(sum, right_side[row], 1e-11 * size) << row;
      }
  }


  TEST(ExportedMatrix, TimesTheSolutionIsTheRightHandSide)
  {
    for (const std::string name : {"csr", "sell", "matrix_free"})
      for (const int degree : {1, 2})
        {
          check<2>(name, degree);
          check<3>(name, degree);
        }
  }


  TEST(SolverCase, ExceptionsOfDealIIAreSentences)
  {
    Parameters parameters;
    declare_discretization(parameters);
    LinearSolver::declare(parameters);
    const LinearSolver solver(parameters);
    const Discretization<2> d(parameters, solver);
    EXPECT_EQ(error_of([&]() {
                d.collectively([]() {
                  AssertThrow(false, dealii::ExcMessage("A point is outside."));
                });
              }),
              "1 deal.II refuses: A point is outside.");
  }
} // namespace

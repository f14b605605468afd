#include <tessera/base/vector_operations.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/defect_correction.h>

#include <numeric>

#include "grid_matrices.h"
#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  /// M = I, with a patience of its own. Iterations of a device are recorded, so
  /// that `apply` must not allocate.
  template <class Number>
  struct Identity : Preconditioner<Number>
  {
    VectorOperations<Number> on;
    Patience least;

    template <class OfAnyNumber>
    Identity(const Operator<OfAnyNumber> &A, const Patience &least)
      : on(A.backend(), A.n_owned()), least(least)
    {}

    void
    apply(Vector<Number> &z, const Vector<Number> &r,
          const Stream stream) const override
    {
      on.combine(1, r, 0, z, stream);
    }

    Traffic
    traffic() const override
    {
      return {0, 0};
    }

    std::string
    name() const override
    {
      return "identity";
    }

    Patience
    patience() const override
    {
      return least;
    }
  };
} // namespace

TEST(Verification, WithoutItTheSolutionIsTheSame)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "matrix_free", test::unstructured_mesh(2, 1));
      const Jacobi<double> M(*A);
      const auto b =
        test::make_vector(*A, test::random_values<double>(A->n_owned(), 7));
      Vector<double> x           = A->make_vector();
      const auto solve_from_zero = [&](const CGControl &control) {
        x.zero();
        return CG<double>(*A, M).solve(x, b, control);
      };
      CGControl control;
      EXPECT_GT(solve_from_zero(control).true_residual, 0);
      const auto verified = x.to_vector();
      control.verify      = false;
      const CGResult last = solve_from_zero(control);
      EXPECT_TRUE(last.converged);
      EXPECT_TRUE(std::isnan(last.true_residual));
      EXPECT_EQ(x.to_vector(), verified);

      // What has not converged is always verified, and so is what asks for it.
      control.max_iterations = 5;
      EXPECT_GT(solve_from_zero(control).true_residual, 0);
      control.max_iterations = 10000;
      control.norm           = StoppingNorm::true_residual;
      EXPECT_GT(solve_from_zero(control).true_residual, 0);
    }
}

/// A load at the end of a line of springs moves one node further with each
/// iteration: the residual after k of them is the first one divided by k + 1.
TEST(Verification, WithoutProgressPatienceEnds)
{
  for (const Backend backend : test::backends())
    for (const int patience : {250, 100, 0})
      {
        const auto A =
          make_row_operator<double>("csr", test::line(900), backend);
        const Identity<double> M(*A, {patience, "another matrix"});
        std::vector<double> b(A->n_owned(), 0.);
        b[0] = 1;
        CGControl control;
        control.max_iterations = 800;
        Vector<double> x       = A->make_vector();
        const CGResult result =
          CG<double>(*A, M).solve(x, test::make_vector(*A, b), control);
        EXPECT_FALSE(result.converged);
        EXPECT_NEAR(result.residual * (result.iterations + 1),
                    result.initial_residual, 1e-8 * result.initial_residual);
        EXPECT_EQ(int(result.history.size()), result.iterations + 1);
        EXPECT_EQ(result.end, patience > 0 ? SolveEnd::no_progress
                                           : SolveEnd::iteration_limit);
        const std::string sentence = describe(result);
        if (patience > 0)
          {
            EXPECT_GE(result.iterations, 2 * patience);
            EXPECT_LE(result.iterations, 2 * patience + 20);
            EXPECT_NE(
              sentence.find(
                "identity makes no progress: " + std::to_string(patience) +
                " iterations did not halve the residual, after "),
              std::string::npos)
              << sentence;
            EXPECT_NE(sentence.find("; another matrix may help."),
                      std::string::npos)
              << sentence;
            const auto A_float =
              make_row_operator<float>("csr", test::line(900), backend);
            const Identity<float> M_float(*A, M.patience());
            x.zero();
            const CGResult of_float =
              DefectCorrection(*A, *A_float, M_float)
                .solve(x, test::make_vector(*A, b), control);
            EXPECT_EQ(of_float.end, SolveEnd::no_progress);
            EXPECT_NE(describe(of_float).find("identity makes no progress"),
                      std::string::npos);
          }
      }
}

/// The residual falls so slowly that far more iterations are expected, which
/// the first ones of a good preconditioner may look like, too.
TEST(Verification, TheHostLooksOftenWhereAnIterationTakesLong)
{
  for (const Backend backend : test::backends())
    {
      const auto A = make_row_operator<double>("csr", test::line(900), backend);
      const Identity<double> M(*A, {});
      std::vector<double> b(A->n_owned(), 0.);
      b[0] = 1;
      CGControl control;
      control.max_iterations = 40;
      std::vector<int> looks;
      control.progress = [&](const int iteration, double) {
        looks.push_back(iteration);
        return true;
      };
      Vector<double> x = A->make_vector();
      CG<double>(*A, M).solve(x, test::make_vector(*A, b), control);
      const std::vector<int> on_device = {0,  2,  4,  6,  8, 10,
                                          12, 14, 16, 32, 40};
      std::vector<int> on_host(41);
      std::iota(on_host.begin(), on_host.end(), 0);
      EXPECT_EQ(looks, backend == Backend::host ? on_host : on_device);
    }
}

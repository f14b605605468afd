#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include "problems.h"
#include "test.h"

using namespace tessera;

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

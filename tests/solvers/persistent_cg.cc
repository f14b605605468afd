#include <tessera/base/launch_log.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include <algorithm>

#include "problems.h"
#include "test.h"

using namespace tessera;

// Conjugate gradients in one kernel, whose blocks wait for each other: a few
// iterations on one block and on several, also for tools that find races.
namespace
{
  std::vector<double>
  seven_iterations(const Operator<double> &A, const std::string &method)
  {
    const Jacobi<double> M(A);
    Vector<double> x = A.make_vector();
    CGControl control;
    control.relative_tolerance = 0;
    control.max_iterations     = 7;
    control.check_every        = 3;
    const CGResult result =
      CG<double>(A, M, method)
        .solve(
          x, test::make_vector(A, test::random_values<double>(A.n_owned(), 7)),
          control);
    EXPECT_EQ(result.iterations, 7);
    return test::owned_values(x);
  }
} // namespace

TEST(PersistentCG, HasTheIteratesOfOtherMethods)
{
  for (const Backend backend : test::backends())
    for (const bool several_blocks : {false, true})
      {
        const auto A = test::make_operator_on<double>(
          backend, "csr",
          several_blocks ? test::generated_mesh(1, 25, 15)
                         : test::generated_mesh(1, 7, 3));
        const auto expected = seven_iterations(*A, "classical");
        const auto check    = [&](const std::string &method) {
          // M^-1 is rounded to float.
          EXPECT_LE(test::distance(seven_iterations(*A, method), expected),
                       1e-6 * test::norm(expected));
        };
        check("single_reduction");
        if (backend == Backend::host)
          continue;
        const runtime::LaunchLog log;
        check("persistent");
        const auto &launches = log.launches();
        const auto widest = std::max_element(launches.begin(), launches.end(),
                                             [](const auto &a, const auto &b) {
                                               return a.n_threads < b.n_threads;
                                             });
        EXPECT_EQ(widest->n_threads, 512);
        EXPECT_EQ(widest->n_blocks > 1, several_blocks);
      }
}

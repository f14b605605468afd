#include <tessera/operators/convert_rows.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/defect_correction.h>

#include "problems.h"
#include "test.h"

using namespace tessera;

// The default norm is not fooled by penalties, units and contrasts: a solve
// that says it has converged has found the solution.
namespace
{
  constexpr int n_x = 7, n_y = 5, n = n_x * n_y;

  /// A x = b on a grid whose neighbours are coupled by the smaller one of their
  /// kappas, and whose left nodes are coupled to 1 by a penalty.
  struct Problem
  {
    std::string name;
    SparseMatrix A;
    std::vector<double> b, x;
  };

  /// `kappa` gives the coefficient of a node by its column and row.
  template <class Kappa>
  Problem
  make_problem(const std::string &name, const double penalty,
               const Kappa &kappa)
  {
    Problem problem{name, {}, {}, test::random_values<double>(n, 5)};
    for (double &value : problem.x)
      value += 1.5;
    SparseMatrix &A     = problem.A;
    A.n_columns         = n;
    A.pattern.row_start = {0};
    for (int i = 0; i < n; ++i)
      {
        const int x = i % n_x, y = i / n_x;
        const auto coupling = [&](const int dx, const int dy) {
          const bool is =
            x + dx >= 0 && x + dx < n_x && y + dy >= 0 && y + dy < n_y;
          return is ? std::min(kappa(x, y), kappa(x + dx, y + dy)) : 0.;
        };
        // The nodes beyond the last column are given.
        double diagonal = x == 0 ? penalty : x == n_x - 1 ? kappa(x, y) : 0.;
        double b        = 0;
        const auto add  = [&](const int j, const double value) {
          A.pattern.columns.push_back(j);
          A.values.push_back(value);
          b += value * problem.x[j];
        };
        const std::pair<int, int> neighbours[] = {
          {0, -1}, {-1, 0}, {1, 0}, {0, 1}};
        for (const auto &[dx, dy] : neighbours)
          diagonal += coupling(dx, dy);
        for (const auto &[dx, dy] : neighbours)
          {
            if (dx == 1)
              add(i, diagonal);
            if (const double c = coupling(dx, dy); c > 0)
              add(i + dx + n_x * dy, -c);
          }
        problem.b.push_back(b);
        A.pattern.row_start.push_back(A.pattern.columns.size());
      }
    return problem;
  }

  std::vector<Problem>
  problems(const double largest = 1e30)
  {
    std::vector<Problem> result;
    for (const double penalty : {1e6, 1e12, 1e20, 1e30})
      if (penalty <= largest)
        result.push_back(make_problem("penalty " + std::to_string(penalty),
                                      penalty, [](int, int) { return 1.; }));
    for (const double low : {1e-6, 1e-10})
      for (const double penalty : {1., 1e12})
        {
          const std::string name =
            std::to_string(low) + ", penalty " + std::to_string(penalty);
          result.push_back(
            make_problem("layer " + name, penalty,
                         [low](const int x, int) { return x < 3 ? 1. : low; }));
          result.push_back(make_problem(
            "inclusion " + name, penalty, [low](const int x, const int y) {
              return x > 1 && x < 4 && y > 0 && y < 3 ? low : 1.;
            }));
        }
    return result;
  }

  template <class Number>
  std::vector<Number>
  to_number(const std::vector<double> &values)
  {
    return {values.begin(), values.end()};
  }

  /// The largest error relative to the largest value.
  template <class Number>
  double
  error(const Problem &problem, const Vector<Number> &x)
  {
    const auto values = test::owned_values(x);
    double result     = 0;
    for (int i = 0; i < n; ++i)
      result = std::max(result, std::abs(values[i] - problem.x[i]));
    return result / 2.5;
  }

  std::vector<std::string>
  methods(const std::string &preconditioner)
  {
    std::vector<std::string> result{"classical"};
    if (preconditioner_descriptor(preconditioner).is_diagonal)
      result.push_back("single_reduction");
    return result;
  }

  /// Calls f(problem, A, M, method, what) for all of these.
  template <class Number, class F>
  void
  for_each_solve(const double largest, const F &f)
  {
    int turn = 0;
    for (const Backend backend : test::backends())
      for (const Problem &problem : problems(largest))
        {
          const auto A = make_row_operator<Number>("csr", problem.A, backend);
          for (const std::string name :
               {"jacobi", "none", "ssor", "chebyshev", "block_jacobi"})
            for (const std::string &method : methods(name))
              {
                if (test::is_watched() && backend == Backend::cuda &&
                    turn++ % 7 != 0)
                  continue;
                const std::string what = to_string(backend) + ", " +
                                         problem.name + ", " + name + ", " +
                                         method;
                SCOPED_TRACE(what);
                const auto M = make_preconditioner<Number>(name, *A);
                f(problem, *A, *M, method);
              }
        }
  }
} // namespace

TEST(ScaledNorm, WhatConvergesIsTheSolution)
{
  int n_converged = 0, n_solves = 0;
  for_each_solve<double>(
    1e30, [&](const Problem &problem, const Operator<double> &A,
              const Preconditioner<double> &M, const std::string &method) {
      CG<double> cg(A, M, method);
      const auto b = test::make_vector(A, problem.b);
      // From zero, from anywhere, and from almost the solution.
      for (const double from : {0., 1., 1e-3})
        {
          std::vector<double> start = test::random_values<double>(n, 3);
          for (int i = 0; i < n; ++i)
            start[i] = from * start[i] + (from == 1e-3 ? problem.x[i] : 0.);
          Vector<double> x = test::make_vector(A, start);
          CGControl control;
          control.max_iterations = 1000;
          const CGResult result  = cg.solve(x, b, control);
          ++n_solves;
          if (result.converged)
            {
              ++n_converged;
              EXPECT_LE(error(problem, x), 1e-7) << from;
              EXPECT_LE(result.scaled_residual, 1e-8);
            }
          else // without a preconditioner it may fail, and says so
            EXPECT_EQ(M.name(), "none") << describe(result);
        }
    });
  // A fifth of the solves has no preconditioner on a host, a third on a device.
  EXPECT_GE(n_converged, 0.8 * n_solves);
}

TEST(ScaledNorm, Float)
{
  for_each_solve<float>(
    1e30, [](const Problem &problem, const Operator<float> &A,
             const Preconditioner<float> &M, const std::string &method) {
      // The default tolerance is beyond float, which the recurrence reaches.
      for (const double tolerance : {1e-5, 1e-10})
        {
          CGControl control;
          control.relative_tolerance = tolerance;
          control.max_iterations     = 1000;
          Vector<float> x            = A.make_vector();
          const CGResult result =
            CG<float>(A, M, method)
              .solve(x, test::make_vector(A, to_number<float>(problem.b)),
                     control);
          if (result.converged)
            EXPECT_LE(error(problem, x), 1e-3) << tolerance;
          else
            EXPECT_EQ(M.name(), "none") << describe(result);
        }
    });
}

TEST(ScaledNorm, DefectCorrection)
{
  for (const Backend backend : test::backends())
    for (const Problem &problem : problems())
      {
        SCOPED_TRACE(to_string(backend) + ", " + problem.name);
        const auto A = make_row_operator<double>("csr", problem.A, backend);
        const auto A_float =
          make_row_operator<float>("csr", problem.A, backend);
        const Jacobi<float> M(*A_float);
        Vector<double> x = A->make_vector();
        const CGResult result =
          DefectCorrection(*A, *A_float, M)
            .solve(x, test::make_vector(*A, problem.b), {});
        EXPECT_TRUE(result.converged) << describe(result);
        EXPECT_LE(error(problem, x), 1e-7);
        EXPECT_LE(result.scaled_residual, 1e-10);
      }
}

// What was asked for before is still asked for, and misses the solution here.
TEST(ScaledNorm, OthersAreWhatTheyWere)
{
  for (const Backend backend : test::backends())
    {
      const Problem problem =
        make_problem("", 1e12, [](int, int) { return 1.; });
      const auto A = make_row_operator<double>("csr", problem.A, backend);
      const Jacobi<double> M(*A);
      const auto b = test::make_vector(*A, problem.b);
      for (const std::string &method : methods("jacobi"))
        for (const StoppingNorm norm :
             {StoppingNorm::residual, StoppingNorm::true_residual,
              StoppingNorm::scaled_residual,
              StoppingNorm::true_scaled_residual})
          {
            CGControl control;
            control.norm     = norm;
            Vector<double> x = A->make_vector();
            const CGResult result =
              CG<double>(*A, M, method).solve(x, b, control);
            EXPECT_TRUE(result.converged);
            EXPECT_EQ(error(problem, x) < 1e-7, is_scaled(norm));
            EXPECT_EQ(std::isnan(result.scaled_residual), !is_scaled(norm));
            if (norm == StoppingNorm::true_scaled_residual)
              EXPECT_LE(result.scaled_residual, 1e-10 * (1 + 1e-12));
          }
    }
}

// Where the diagonal is constant, both norms are the same.
TEST(ScaledNorm, CountsAreThoseOfThePlainNorm)
{
  for (const Backend backend : test::backends())
    for (const std::string name : {"jacobi", "none", "ssor"})
      {
        const auto A = test::make_operator_on<double>(
          backend, "csr", test::unstructured_mesh(2, 1));
        const auto M = make_preconditioner<double>(name, *A);
        const auto b =
          test::make_vector(*A, test::random_values<double>(A->n_owned(), 7));
        for (const std::string &method : methods(name))
          {
            const auto iterations = [&](const StoppingNorm norm) {
              CGControl control;
              control.norm     = norm;
              Vector<double> x = A->make_vector();
              return CG<double>(*A, *M, method).solve(x, b, control).iterations;
            };
            EXPECT_NEAR(iterations(StoppingNorm::scaled_residual),
                        iterations(StoppingNorm::residual), 2)
              << name << ' ' << method;
          }
      }
}

// The larger one of both tolerances decides.
TEST(ScaledNorm, AbsoluteTolerance)
{
  for (const Backend backend : test::backends())
    {
      const Problem problem =
        make_problem("", 1e12, [](int, int) { return 1.; });
      const auto A = make_row_operator<double>("csr", problem.A, backend);
      const Jacobi<double> M(*A);
      const auto b = test::make_vector(*A, problem.b);
      for (const std::string &method : methods("jacobi"))
        for (const bool is_large : {true, false})
          {
            CGControl control;
            control.absolute_tolerance = is_large ? 1e5 : 1e-20;
            Vector<double> x           = A->make_vector();
            const CGResult result =
              CG<double>(*A, M, method).solve(x, b, control);
            EXPECT_TRUE(result.converged);
            EXPECT_EQ(error(problem, x) < 1e-7, !is_large);
          }
    }
}

// The result says if the residual over the diagonal is beyond reach.
TEST(ScaledNorm, TheTrueOneIsReachedOrSaidNotToBe)
{
  for (const Backend backend : test::backends())
    {
      const Problem problem =
        make_problem("", 1e20, [](int, int) { return 1.; });
      const auto A = make_row_operator<float>("csr", problem.A, backend);
      const Jacobi<float> M(*A);
      const auto b = test::make_vector(*A, to_number<float>(problem.b));
      CGControl control;
      control.norm               = StoppingNorm::true_scaled_residual;
      control.relative_tolerance = 1e-12;
      Vector<float> x            = A->make_vector();
      const CGResult result      = CG<float>(*A, M).solve(x, b, control);
      EXPECT_EQ(result.end, SolveEnd::stagnated);
      EXPECT_LE(error(problem, x), 1e-5);
      EXPECT_NE(describe(result).find("divided by the diagonal of the matrix"),
                std::string::npos);
    }
}

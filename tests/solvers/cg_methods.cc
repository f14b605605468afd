#include <tessera/base/error.h>
#include <tessera/base/runtime.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include <limits>

#include "linked.h"
#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  const std::vector<std::string> methods = {"classical", "single_reduction"};

  template <class Number>
  constexpr double tolerance =
    std::is_same<Number, double>::value ? 1e-10 : 1e-5;

  template <class Number>
  struct Solution
  {
    CGResult result;
    std::vector<Number> x;
  };

  template <class Number>
  Solution<Number>
  solve(const Operator<Number> &A, const std::string &method, CGControl control,
        const std::string &preconditioner = "jacobi",
        std::vector<Number> b             = {})
  {
    const auto M = make_preconditioner<Number>(preconditioner, A);
    if (b.empty())
      b = test::random_values<Number>(A.n_owned(), 7);
    Vector<Number> x = A.make_vector();
    const CGResult result =
      CG<Number>(A, *M, method).solve(x, test::make_vector(A, b), control);
    return {result, test::owned_values(x)};
  }

  template <class Number>
  CGControl
  control(const int check_every = 16)
  {
    CGControl c;
    c.relative_tolerance = tolerance<Number>;
    c.check_every        = check_every;
    return c;
  }

  /// |b - A x| on the host in double.
  template <class Number>
  double
  residual_of(const test::DenseMatrix &A, const std::vector<Number> &x)
  {
    return test::distance(A.times(x), test::random_values<Number>(x.size(), 7));
  }

  /// All methods have the iterates of the classical one, up to the rounding of
  /// their recurrences.
  template <class Number>
  void
  expect_solves_alike(const Backend backend, const std::string &name,
                      const Connectivity &mesh)
  {
    const auto A         = test::make_operator_on<Number>(backend, name, mesh);
    const auto classical = solve(*A, "classical", control<Number>());
    EXPECT_TRUE(classical.result.converged);
    const test::DenseMatrix matrix(*A);
    const double inverse = matrix.inverse().norm();
    const double b = test::norm(test::random_values<Number>(A->n_owned(), 7));
    for (const std::string &method : methods)
      for (const int check_every : {1, 3, 16})
        {
          SCOPED_TRACE(to_string(backend) + ", " + name + ", " + method +
                       ", every " + std::to_string(check_every));
          const auto s = solve(*A, method, control<Number>(check_every));
          EXPECT_TRUE(s.result.converged) << describe(s.result);
          EXPECT_NEAR(s.result.iterations, classical.result.iterations,
                      1 + classical.result.iterations / 50);
          EXPECT_LE(test::distance(s.x, classical.x),
                    3 * inverse * tolerance<Number> * b);
          EXPECT_NEAR(s.result.true_residual, residual_of(matrix, s.x),
                      0.1 * tolerance<Number> * b);
          ASSERT_EQ(s.result.history.size(), s.result.iterations + 1u);
          EXPECT_EQ(s.result.history.back(), s.result.residual);
          EXPECT_EQ(s.result.history.front(), s.result.initial_residual);
          for (std::size_t i = 0; i < 5; ++i)
            EXPECT_NEAR(s.result.history[i], classical.result.history[i],
                        1e-3 * s.result.history[i])
              << i;
        }
  }
} // namespace

TEST(CGMethods, SolveAlike)
{
  for (const Backend backend : test::backends())
    {
      for (const std::string &name :
           test::linked({"csr", "ell", "sell", "lazy_ell"}))
        {
          expect_solves_alike<double>(backend, name,
                                      test::unstructured_mesh(2, 1));
          expect_solves_alike<float>(backend, name,
                                     test::unstructured_mesh(1, 1));
        }
      // More rows than a block of a pass has threads.
      expect_solves_alike<double>(backend, "csr",
                                  test::generated_mesh(1, 37, 33));
    }
}

TEST(CGMethods, SingleReductionOfWhatIsNotStored)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "matrix_free", test::unstructured_mesh(2, 1));
      const auto a = solve(*A, "classical", control<double>());
      const auto b = solve(*A, "single_reduction", control<double>());
      EXPECT_TRUE(b.result.converged);
      EXPECT_NEAR(a.result.iterations, b.result.iterations, 1);
      EXPECT_LE(test::distance(a.x, b.x), 1e-7 * test::norm(a.x));
    }
}

TEST(CGMethods, EveryIterationLimitGivesTheIterateOfTheClassicalMethod)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "csr", test::unstructured_mesh(2, 1));
      for (const std::string &method : methods)
        for (const int limit : {1, 2, 3, 4, 7})
          {
            CGControl c      = control<double>(2);
            c.max_iterations = limit;
            const auto a     = solve(*A, "classical", c);
            const auto s     = solve(*A, method, c);
            EXPECT_EQ(s.result.end, SolveEnd::iteration_limit);
            EXPECT_EQ(s.result.iterations, limit);
            EXPECT_LE(test::distance(a.x, s.x), 1e-6 * test::norm(a.x))
              << method << limit; // M^-1 is rounded to float
            EXPECT_NEAR(s.result.residual, a.result.residual,
                        1e-6 * a.result.residual);
          }
    }
}

TEST(CGMethods, LongHistoriesAreWhole)
{
  // More iterations than the backend keeps residuals of, in looks of any size.
  SparseMatrix line;
  line.n_columns         = 1325;
  line.pattern.row_start = {0};
  for (int i = 0; i < line.n_columns; ++i)
    {
      for (int j = std::max(i - 1, 0); j <= std::min(i + 1, 1324); ++j)
        {
          line.pattern.columns.push_back(j);
          line.values.push_back(i == j ? 2 : -1);
        }
      line.pattern.row_start.push_back(line.pattern.columns.size());
    }
  for (const Backend backend : test::backends())
    for (const std::string &method : methods)
      {
        const auto A   = make_row_operator<double>("csr", line, backend);
        CGControl many = control<double>(16), few = control<double>(500);
        many.max_iterations = few.max_iterations = 1060;
        const auto a = solve(*A, method, many), b = solve(*A, method, few);
        ASSERT_EQ(a.result.iterations, 1060);
        ASSERT_EQ(a.result.history.size(), 1061u);
        EXPECT_EQ(a.result.history, b.result.history);
        EXPECT_EQ(a.result.history.front(), a.result.initial_residual);
        EXPECT_EQ(a.result.history.back(), a.result.residual);
      }
}

TEST(CGMethods, RepeatTheirBits)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "csr", test::unstructured_mesh(2, 1));
      for (const std::string &method : methods)
        {
          const auto a = solve(*A, method, control<double>());
          const auto b = solve(*A, method, control<double>(5));
          EXPECT_EQ(a.x, b.x) << method;
          EXPECT_EQ(a.result.history, b.result.history);
        }
    }
}

TEST(CGMethods, PreconditionedNorm)
{
  for (const Backend backend : test::backends())
    for (const std::string &method : methods)
      {
        const auto A = test::make_operator_on<double>(
          backend, "csr", test::unstructured_mesh(2, 1));
        const test::DenseMatrix matrix(*A);
        const auto norm = [&](const std::vector<double> &x) {
          const Jacobi<double> jacobi(*A);
          const auto weight = test::owned_values(*jacobi.inverse_diagonal());
          std::vector<double> r = matrix.times(x);
          const auto b          = test::random_values<double>(A->n_owned(), 7);
          double sum            = 0;
          for (std::size_t i = 0; i < r.size(); ++i)
            sum += (b[i] - r[i]) * weight[i] * (b[i] - r[i]);
          return std::sqrt(sum);
        };
        const double first = norm(std::vector<double>(A->n_owned(), 0.));
        CGControl c        = control<double>();
        c.norm             = StoppingNorm::preconditioned_residual;
        for (const bool relative : {true, false})
          {
            c.relative_tolerance = relative ? 1e-6 : 0;
            c.absolute_tolerance = relative ? 0 : 1e-6 * first;
            const auto s         = solve(*A, method, c);
            EXPECT_TRUE(s.result.converged);
            EXPECT_LE(norm(s.x), 1.0001e-6 * first) << method;
            c.max_iterations = s.result.iterations - 1;
            EXPECT_FALSE(solve(*A, method, c).result.converged);
            c.max_iterations = 10000;
          }
      }
}

TEST(CGMethods, TheTrueResidualIsReachedOrSaidNotToBe)
{
  for (const Backend backend : test::backends())
    for (const std::string &method : methods)
      {
        SCOPED_TRACE(to_string(backend) + ", " + method);
        const auto A = test::make_operator_on<float>(
          backend, "csr", test::unstructured_mesh(2, 2));
        const double b =
          test::norm(test::random_values<float>(A->n_owned(), 7));
        CGControl c          = control<float>();
        c.relative_tolerance = 1e-9; // beyond float
        const auto recurrent = solve(*A, method, c);
        EXPECT_TRUE(recurrent.result.converged);
        EXPECT_GT(recurrent.result.true_residual, 2e-9 * b);

        c.norm            = StoppingNorm::true_residual;
        const auto honest = solve(*A, method, c);
        EXPECT_EQ(honest.result.end, SolveEnd::stagnated);
        EXPECT_FALSE(honest.result.converged);
        EXPECT_GE(honest.result.replacements, 1);
        EXPECT_LE(honest.result.true_residual, recurrent.result.true_residual);
        EXPECT_NEAR(honest.result.true_residual,
                    residual_of(test::DenseMatrix(*A), honest.x),
                    0.5 * honest.result.true_residual);

        c.relative_tolerance = 1e-5;
        const auto reached   = solve(*A, method, c);
        EXPECT_TRUE(reached.result.converged);
        EXPECT_LE(reached.result.true_residual, 1e-5 * b);
      }
}

TEST(CGMethods, AToleranceThatNothingReachesEndsTheSolve)
{
  for (const Backend backend : test::backends())
    for (const std::string &method : methods)
      for (const StoppingNorm norm :
           {StoppingNorm::residual, StoppingNorm::true_residual,
            StoppingNorm::preconditioned_residual})
        {
          const auto A = test::make_operator_on<float>(
            backend, "csr", test::unstructured_mesh(2, 1));
          CGControl c          = control<float>();
          c.relative_tolerance = 0;
          c.norm               = norm;
          const auto s         = solve(*A, method, c);
          EXPECT_EQ(s.result.end, SolveEnd::stagnated) << method;
          EXPECT_LT(s.result.iterations, 1000);
          EXPECT_LE(residual_of(test::DenseMatrix(*A), s.x),
                    1e-4 * s.result.initial_residual);
        }
}

TEST(CGMethods, DiagonalsOfAnySize)
{
  // Blocks of one row: their ratio is beyond the range of float.
  SparseMatrix diagonal;
  diagonal.n_columns         = 40;
  diagonal.pattern.row_start = {0};
  for (int i = 0; i < 40; ++i)
    {
      diagonal.pattern.row_start.push_back(i + 1);
      diagonal.pattern.columns.push_back(i);
      diagonal.values.push_back(i % 2 == 0 ? 2 : 2e-50);
    }
  for (const Backend backend : test::backends())
    for (const std::string &method : methods)
      {
        const auto A = make_row_operator<double>("csr", diagonal, backend);
        const auto s = solve(*A, method, control<double>());
        EXPECT_TRUE(s.result.converged) << describe(s.result);
      }
}

TEST(CGMethods, EveryWayToFail)
{
  for (const Backend backend : test::backends())
    for (const std::string &method : methods)
      {
        SCOPED_TRACE(to_string(backend) + ", " + method);
        const Connectivity mesh = test::unstructured_mesh(2, 1);
        const auto indefinite   = test::make_operator_on<double>(
          backend, "csr", mesh, Coefficient::tensor(1., 1.2, 1.));
        const auto of_operator = solve(*indefinite, method, control<double>());
        EXPECT_EQ(of_operator.result.end, SolveEnd::operator_indefinite);
        for (const double value : of_operator.x)
          EXPECT_TRUE(std::isfinite(value));

        const auto negative = test::make_operator_on<double>(
          backend, "csr", mesh, Coefficient::tensor(-1., 0., -1.));
        const auto of_preconditioner =
          solve(*negative, method, control<double>());
        EXPECT_EQ(of_preconditioner.result.end,
                  SolveEnd::preconditioner_indefinite);
        EXPECT_EQ(of_preconditioner.result.iterations, 0);

        const auto A = test::make_operator_on<double>(backend, "csr", mesh);
        for (const double bad : {std::nan(""), 1 / 0., 1e300})
          {
            auto b       = test::random_values<double>(A->n_owned(), 7);
            b[3]         = bad;
            const auto s = solve(*A, method, control<double>(), "jacobi", b);
            EXPECT_EQ(s.result.end, SolveEnd::not_finite);
            EXPECT_EQ(s.x, std::vector<double>(A->n_owned(), 0.));
          }
        EXPECT_NE(describe(of_operator.result).find("p . A p <= 0"),
                  std::string::npos);
      }
}

TEST(CGMethods, WhatDoesNotFitIsRefused)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "csr", test::unstructured_mesh(1, 1));
      EXPECT_THROW(solve(*A, "single_reduction", control<double>(), "ssor"),
                   ParameterError);
      EXPECT_EQ(choose_cg_method(*A, *make_preconditioner("ssor", *A)),
                "classical");
    }
  EXPECT_THROW(cg_method_descriptor("pipelined"), ParameterError);
  EXPECT_THROW(stopping_norm_from_string("energy"), ParameterError);
}

TEST(CGMethods, NothingToDo)
{
  for (const Backend backend : test::backends())
    for (const std::string &method : methods)
      {
        const auto A = test::make_operator_on<double>(
          backend, "csr", test::unstructured_mesh(1, 1));
        const auto s = solve(*A, method, control<double>(), "jacobi",
                             std::vector<double>(A->n_owned(), 0.));
        EXPECT_TRUE(s.result.converged);
        EXPECT_EQ(s.result.iterations, 0);
        EXPECT_EQ(s.result.true_residual, 0);
        EXPECT_EQ(s.result.history, std::vector<double>(1, 0.));
        EXPECT_EQ(test::norm(s.x), 0);
      }
}

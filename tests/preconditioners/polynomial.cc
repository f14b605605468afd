#include <tessera/base/error.h>
#include <tessera/base/runtime.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/preconditioners/polynomial.h>
#include <tessera/solvers/cg.h>

#include <algorithm>
#include <limits>

#include "preconditioner_checks.h"
#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  const std::vector<PolynomialKind> kinds = {PolynomialKind::neumann,
                                             PolynomialKind::least_squares,
                                             PolynomialKind::chebyshev};

  /// A matrix of n blocks (1 c; c 1) times a scale that differs from row to
  /// row, symmetrically. D^-1 A has the eigenvalues 1 - c_k and 1 + c_k with
  /// the vectors (s, -s') and (s, s'), where s is the inverse of the scale.
  struct Pairs
  {
    explicit Pairs(const std::vector<double> &couplings)
    {
      A.n_columns         = static_cast<int>(2 * couplings.size());
      A.pattern.row_start = {0};
      for (int i = 0; i < A.n_columns; ++i)
        {
          scale.push_back(1 + i % 5);
          A.pattern.row_start.push_back(2 * i + 2);
        }
      for (int i = 0; i < A.n_columns; ++i)
        for (int j = i / 2 * 2; j < i / 2 * 2 + 2; ++j)
          {
            A.pattern.columns.push_back(j);
            A.values.push_back((i == j ? 1 : couplings[i / 2]) * scale[i] *
                               scale[j]);
          }
    }

    SparseMatrix A;
    std::vector<double> scale;
  };

  std::vector<double>
  couplings(const int n, const double largest)
  {
    std::vector<double> c;
    for (int k = 0; k < n; ++k)
      c.push_back(largest * k / (n - 1));
    return c;
  }

  /// The residual polynomial 1 - t p(t), by the recurrence.
  double
  residual(const std::vector<PolynomialStep> &steps, const double t)
  {
    double x = 0, d = 0;
    for (const PolynomialStep &step : steps)
      {
        d = step.before * d + step.residual * (1 - t * x);
        x += d;
      }
    return 1 - t * x;
  }

  /// The largest eigenvalue of D^-1 A by the power method.
  double
  largest_eigenvalue(const test::DenseMatrix &A, const int n)
  {
    std::vector<double> x = test::random_values<double>(n, 5);
    double value          = 0;
    for (int step = 0; step < 3000; ++step)
      {
        std::vector<double> y = A.times(x);
        double x_y = 0, x_x = 0;
        for (int i = 0; i < n; ++i)
          {
            x_y += x[i] * y[i];
            x_x += x[i] * A(i, i) * x[i];
            y[i] /= A(i, i);
          }
        value             = x_y / x_x;
        const double size = test::norm(y);
        for (int i = 0; i < n; ++i)
          x[i] = y[i] / size;
      }
    return value;
  }
} // namespace

TEST(PolynomialSteps, AreTheKnownPolynomials)
{
  const double a = 0.1, b = 1.7, middle = (a + b) / 2, half = (b - a) / 2;
  const auto chebyshev = [](const int n, const double x) {
    return std::abs(x) <= 1 ? std::cos(n * std::acos(x))
                            : std::cosh(n * std::acosh(x));
  };
  for (int degree = 0; degree <= 10; ++degree)
    {
      const auto neumann =
        polynomial_steps(PolynomialKind::neumann, degree, a, b);
      const auto best =
        polynomial_steps(PolynomialKind::chebyshev, degree, a, b);
      ASSERT_EQ(best.size(), degree + 1u);
      for (const double t : {0., 0.05, 0.1, 0.6, 1.1, 1.7})
        {
          EXPECT_NEAR(residual(neumann, t), std::pow(1 - t / b, degree + 1),
                      1e-14);
          EXPECT_NEAR(residual(best, t),
                      chebyshev(degree + 1, (middle - t) / half) /
                        chebyshev(degree + 1, middle / half),
                      1e-13);
        }
    }
}

TEST(PolynomialSteps, LeastSquaresHaveNoBetterNeighbour)
{
  // The integral of the square with Chebyshev's weight, by many points. At the
  // minimum it grows by the square of a change and the gradient vanishes.
  const double a = 0.02, b = 2;
  const auto integral = [&](const std::vector<PolynomialStep> &steps,
                            const double change, const int power) {
    const int n = 400;
    double sum  = 0;
    for (int j = 0; j < n; ++j)
      {
        const double t =
          (a + b) / 2 + (b - a) / 2 * std::cos((j + 0.5) * std::acos(-1.) / n);
        const double r = residual(steps, t) + change * std::pow(t, power);
        sum += r * r / n;
      }
    return sum;
  };
  for (const int degree : {0, 1, 2, 4, 7, 10})
    {
      const auto steps =
        polynomial_steps(PolynomialKind::least_squares, degree, a, b);
      const double least = integral(steps, 0, 1);
      for (int power = 1; power <= degree + 1; ++power)
        for (const double change : {-1e-3, 1e-3})
          EXPECT_GT(integral(steps, change, power), least) << degree << power;
      // On one eigenvalue, the steps that are left over do nothing.
      for (const PolynomialStep &step :
           polynomial_steps(PolynomialKind::least_squares, 10 * degree, 1, 1))
        EXPECT_TRUE(std::isfinite(step.before) && std::isfinite(step.residual));
      // 1 at zero, and below 1 on the interval, so that M is positive.
      EXPECT_NEAR(residual(steps, 0), 1, 1e-14);
      for (int i = 1; i <= 100; ++i)
        EXPECT_LT(residual(steps, b * i / 100), 1);
    }
}

TEST(PolynomialSteps, BadInput)
{
  for (const PolynomialKind kind : kinds)
    {
      EXPECT_THROW(polynomial_steps(kind, -1, 1, 2), ParameterError);
      EXPECT_THROW(polynomial_steps(kind, 101, 1, 2), ParameterError);
      EXPECT_THROW(polynomial_steps(kind, 3, 0, 2), ParameterError);
      EXPECT_THROW(polynomial_steps(kind, 3, 2, 1), ParameterError);
      EXPECT_THROW(polynomial_steps(kind, 3, std::nan(""), 1), ParameterError);
      EXPECT_EQ(polynomial_steps(kind, 3, 1, 1).size(), 4u); // one eigenvalue
    }
}

TEST(Polynomial, HasTheAnalyticErrorOnAKnownSpectrum)
{
  const auto c = couplings(40, 0.98);
  const Pairs pairs(c);
  const int n = pairs.A.n_columns;
  for (const Backend backend : test::backends())
    for (const PolynomialKind kind : kinds)
      for (const int degree : {1, 2, 5, 10})
        {
          const auto A = make_row_operator<double>("csr", pairs.A, backend);
          SpectrumBounds bounds;
          bounds.lower = 0.02;
          bounds.upper = 1.98;
          PolynomialOptions options;
          options.kind   = kind;
          options.degree = degree;
          const Polynomial<double> M(*A, options, bounds);
          const auto steps = polynomial_steps(kind, degree, 0.02, 1.98);

          // M^-1 A x = t p(t) x for an eigenvector x.
          for (const int sign : {-1, 1})
            {
              std::vector<double> x(n), expected(n);
              for (int i = 0; i < n; ++i)
                {
                  x[i] = (i % 2 == 0 ? 1 : sign) / pairs.scale[i];
                  expected[i] =
                    x[i] * (1 - residual(steps, 1 + sign * c[i / 2]));
                }
              Vector<double> r = A->make_vector(), z = A->make_vector();
              A->vmult(r, test::make_vector(*A, x));
              M.apply(z, r, {});
              const auto values = test::owned_values(z);
              for (int i = 0; i < n; ++i)
                EXPECT_NEAR(values[i], expected[i], 1e-13) << i;

              // Smoothing reduces an error by the residual polynomial.
              Vector<double> error = test::make_vector(*A, x);
              M.smooth(error, A->make_vector(), {});
              const auto left = test::owned_values(error);
              for (int i = 0; i < n; ++i)
                EXPECT_NEAR(left[i], x[i] - expected[i], 1e-13) << i;
            }
        }
}

TEST(Polynomial, IsSymmetricAndPositiveDefinite)
{
  for (const Backend backend : test::backends())
    for (const PolynomialKind kind : kinds)
      for (const int degree : {0, 1, 2, 3, 6, 10})
        for (const std::string name : {"csr", "matrix_free"})
          {
            PolynomialOptions options;
            options.kind   = kind;
            options.degree = degree;
            const auto A   = test::make_operator_on<double>(
              backend, name, test::unstructured_mesh(2, 1));
            test::expect_symmetric_and_positive(Polynomial<double>(*A, options),
                                                *A);
            const auto B = test::make_operator_on<float>(
              backend, name, test::unstructured_mesh(2, 1));
            test::expect_symmetric_and_positive(Polynomial<float>(*B, options),
                                                *B);
          }
}

TEST(Polynomial, TheUpperBoundIsAboveTheSpectrum)
{
  for (const Backend backend : test::backends())
    for (const auto &[degree, n_refinements] :
         {std::pair(1, 2), std::pair(2, 1), std::pair(4, 1)})
      {
        const auto A = test::make_operator_on<double>(
          backend, "csr", test::unstructured_mesh(degree, n_refinements));
        const double largest =
          largest_eigenvalue(test::DenseMatrix(*A), A->n_owned());
        const Jacobi<double> jacobi(*A);
        for (const int steps : {4, 8, 16, 200})
          {
            const SpectrumBounds bounds =
              estimate_spectrum(*A, *jacobi.inverse_diagonal(), steps);
            EXPECT_GE(bounds.upper, largest) << steps;
            EXPECT_LE(bounds.upper, (steps < 16 ? 1.5 : 1.1) * largest)
              << steps;
            EXPECT_GT(bounds.lower, 0);
            EXPECT_LE(bounds.n_products, std::min(steps, A->n_owned() + 1));
          }
      }
}

/// Rows with a penalty have the largest eigenvalue, 1.99; the eigenvalues of
/// the others are at most 1.5.
TEST(Polynomial, TheUpperBoundIsAboveThatOfAPenalty)
{
  for (const Backend backend : test::backends())
    {
      auto c = couplings(200, 0.5);
      std::fill(c.begin() + 190, c.end(), 0.99);
      SparseMatrix matrix = Pairs(c).A;
      for (std::size_t k = 4 * 190; k < matrix.values.size(); ++k)
        matrix.values[k] *= 1e12;
      const auto A = make_row_operator<double>("csr", matrix, backend);
      const Jacobi<double> jacobi(*A);
      for (const int steps : {4, 8, 12})
        {
          const double upper =
            estimate_spectrum(*A, *jacobi.inverse_diagonal(), steps).upper;
          EXPECT_GE(upper, 1.99) << steps;
          EXPECT_LE(upper, 1.5 * 1.99) << steps;
        }
    }
}

TEST(Polynomial, FewerIterationsWithAHigherDegree)
{
  for (const Backend backend : test::backends())
    for (const PolynomialKind kind : kinds)
      {
        const auto A = test::make_operator_on<double>(
          backend, "csr", test::unstructured_mesh(2, 2));
        const auto b =
          test::make_vector(*A, test::random_values<double>(A->n_owned(), 7));
        int before = std::numeric_limits<int>::max();
        for (const int degree : {0, 1, 3, 7})
          {
            PolynomialOptions options;
            options.kind   = kind;
            options.degree = degree;
            const Polynomial<double> M(*A, options);
            Vector<double> x      = A->make_vector();
            const CGResult result = CG<double>(*A, M).solve(x, b, {});
            EXPECT_TRUE(result.converged);
            EXPECT_LT(result.iterations, before);
            before = result.iterations;
          }
      }
}

TEST(Polynomial, RepeatsItsBitsAndReplaysFromAGraph)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "csr", test::unstructured_mesh(2, 2));
      const Polynomial<double> M(*A), second_M(*A);
      EXPECT_EQ(M.bounds().upper, second_M.bounds().upper);
      const auto r =
        test::make_vector(*A, test::random_values<double>(A->n_owned()));
      Vector<double> direct = A->make_vector(), other = A->make_vector();
      M.apply(direct, r, {});
      second_M.apply(other, r, {});
      EXPECT_EQ(direct.to_vector(), other.to_vector());
      if (backend == Backend::host)
        continue;
      Vector<double> replayed = A->make_vector();
      const Stream stream     = runtime::create_stream();
      {
        const runtime::Graph graph(stream,
                                   [&]() { M.apply(replayed, r, stream); });
        graph.replay(stream);
        runtime::synchronize(stream);
      }
      EXPECT_EQ(direct.to_vector(), replayed.to_vector());
      runtime::destroy_stream(stream);
    }
}

TEST(Polynomial, OfNothingAndOfOneUnknown)
{
  for (const Backend backend : test::backends())
    for (const int n : {0, 1})
      {
        SparseMatrix diagonal;
        diagonal.n_columns         = n;
        diagonal.pattern.row_start = {0};
        for (int i = 0; i < n; ++i)
          {
            diagonal.pattern.row_start.push_back(i + 1);
            diagonal.pattern.columns.push_back(i);
            diagonal.values.push_back(4);
          }
        const auto A = make_row_operator<double>("csr", diagonal, backend);
        const Polynomial<double> M(*A);
        Vector<double> z = A->make_vector();
        M.apply(z, test::make_vector(*A, std::vector<double>(n, 8.)), {});
        for (const double value : test::owned_values(z))
          EXPECT_NEAR(value, 2, 0.3); // the polynomial is not 1 / t
      }
}

#include <tessera/base/error.h>
#include <tessera/base/runtime.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/preconditioners/l1_jacobi.h>
#include <tessera/solvers/cg.h>

#include "preconditioner_checks.h"
#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  /// Returns the matrix with ones on the diagonal and `a` elsewhere.
  SparseMatrix
  coupled(const int n, const double a)
  {
    SparseMatrix matrix;
    matrix.pattern.row_start = {0};
    for (int i = 0; i < n; ++i)
      {
        for (int j = 0; j < n; ++j)
          {
            matrix.pattern.columns.push_back(j);
            matrix.values.push_back(i == j ? 1. : a);
          }
        matrix.pattern.row_start.push_back(
          static_cast<std::int64_t>(matrix.values.size()));
      }
    matrix.n_columns = n;
    return matrix;
  }

  /// M_ii is the sum of the magnitudes of row i of a dense matrix. It may be
  /// larger where a row has several entries of a column.
  template <class Number>
  void
  check(const Backend backend, const std::string &name)
  {
    const auto A = test::make_operator_on<Number>(
      backend, name, test::unstructured_mesh(2, 1));
    const test::DenseMatrix matrix(*A);
    const int n = A->n_owned();
    const L1Jacobi<Number> M(*A);
    ASSERT_NE(M.inverse_diagonal(), nullptr);
    const auto inverse = test::owned_values(*M.inverse_diagonal());
    const auto r       = test::random_values<Number>(n);
    const auto z       = test::preconditioned(M, *A, r);
    const double eps   = 64 * std::numeric_limits<Number>::epsilon();
    for (int i = 0; i < n; ++i)
      {
        double sum = 0;
        for (int j = 0; j < n; ++j)
          sum += std::abs(matrix(i, j));
        EXPECT_LE(inverse[i] * sum, 1 + eps) << i;
        if (!descriptor(name).repeats_columns)
          EXPECT_GE(inverse[i] * sum, 1 - eps) << i;
        EXPECT_EQ(z[i], inverse[i] * r[i]) << i;
      }
  }

  /// Returns |e| after some iterations x += M^-1 (0 - A x) from e on.
  double
  error_after(const int n_iterations, const Operator<double> &A,
              const Preconditioner<double> &M)
  {
    auto e = test::random_values<double>(A.n_owned());
    for (int k = 0; k < n_iterations; ++k)
      {
        Vector<double> y = A.make_vector();
        A.vmult(y, test::make_vector(A, e));
        const auto z = test::preconditioned(M, A, test::owned_values(y));
        for (std::size_t i = 0; i < e.size(); ++i)
          e[i] -= z[i];
      }
    return test::norm(e);
  }
} // namespace

TEST(L1Jacobi, IsTheInverseOfTheSumsOfMagnitudes)
{
  for (const Backend backend : test::backends())
    for (const std::string &name : row_operator_names())
      {
        SCOPED_TRACE(to_string(backend) + ", " + name);
        check<double>(backend, name);
        check<float>(backend, name);
      }
}

TEST(L1Jacobi, ConvergesWhereJacobiDiverges)
{
  for (const Backend backend : test::backends())
    for (const int n : {1, 3, 33})
      {
        SCOPED_TRACE(n);
        const auto A =
          make_row_operator<double>("csr", coupled(n, 0.9), backend);
        const L1Jacobi<double> M(*A);
        const double sum = 1 + 0.9 * (n - 1), least = n > 1 ? 0.1 : 1.;
        for (const double inverse : test::owned_values(*M.inverse_diagonal()))
          EXPECT_NEAR(inverse * sum, 1, 1e-14);
        // The eigenvalues of M^-1 A lie between least / sum and 1.
        const double before = error_after(0, *A, M);
        EXPECT_LE(error_after(100, *A, M),
                  std::pow(1 - least / sum, 100) * before + 1e-12);
        if (n > 1)
          EXPECT_GT(error_after(30, *A, Jacobi<double>(*A)), 1e3 * before);
      }
}

TEST(L1Jacobi, SolvesWithEveryMethod)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "csr", test::unstructured_mesh(2, 1));
      const L1Jacobi<double> M(*A);
      test::expect_symmetric_and_positive(M, *A);
      const auto b = test::random_values<double>(A->n_owned());
      for (const std::string &method : cg_method_names())
        {
          if (!cg_method_descriptor(method).works_with.is_for(backend))
            continue;
          SCOPED_TRACE(to_string(backend) + ", " + method);
          Vector<double> x = A->make_vector();
          EXPECT_TRUE(CG<double>(*A, M, method)
                        .solve(x, test::make_vector(*A, b), CGControl())
                        .converged);
        }
    }
}

TEST(L1Jacobi, NeedsEntries)
{
  const auto A = test::make_operator_on<double>(
    Backend::host, "matrix_free", test::unstructured_mesh(1, 0, false));
  EXPECT_THROW(L1Jacobi<double>{*A}, ParameterError);
  EXPECT_THROW(make_preconditioner("l1_jacobi", *A), ParameterError);
}

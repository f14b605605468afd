#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/preconditioners/block_jacobi.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/solvers/cg.h>

#include "preconditioner_checks.h"
#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  /// M z = r for the blocks of a dense matrix, the last of which is smaller.
  template <class Number>
  void
  expect_inverse(const Operator<Number> &A, const int b)
  {
    const test::DenseMatrix matrix(A);
    const auto r = test::random_values<Number>(A.n_owned());
    const auto z = test::preconditioned(BlockJacobi<Number>(A, b), A, r);
    const int n  = A.n_owned();
    for (int i = 0; i < n; ++i)
      {
        double sum = 0, size = 0;
        for (int j = i / b * b; j < std::min(n, i / b * b + b); ++j)
          {
            sum += matrix(i, j) * z[j];
            size += std::abs(matrix(i, j) * z[j]);
          }
        EXPECT_NEAR(sum, r[i],
                    100 * b * std::numeric_limits<Number>::epsilon() *
                      (size + 1))
          << b << ' ' << i;
      }
  }
} // namespace

TEST(BlockJacobi, IsTheInverseOfTheBlocks)
{
  for (const Backend backend : test::backends())
    for (const std::string &name : row_operator_names())
      for (const int b : {1, 3, 8})
        {
          SCOPED_TRACE(to_string(backend) + ", " + name);
          expect_inverse(*test::make_operator_on<double>(
                           backend, name, test::unstructured_mesh(2, 1)),
                         b);
          expect_inverse(*test::make_operator_on<float>(
                           backend, name, test::unstructured_mesh(2, 1)),
                         b);
        }
}

TEST(BlockJacobi, IsSymmetricAndPositiveDefinite)
{
  for (const Backend backend : test::backends())
    for (const int b : {1, 2, 31, 32})
      {
        const auto A = test::make_operator_on<double>(
          backend, "csr", test::unstructured_mesh(4, 1));
        test::expect_symmetric_and_positive(BlockJacobi<double>(*A, b), *A);
      }
}

TEST(BlockJacobi, OneBlockSolvesAtOnce)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "csr", test::generated_mesh(1, 6, 5));
      ASSERT_LE(A->n_owned(), 32);
      const BlockJacobi<double> M(*A, 32);
      Vector<double> x = A->make_vector();
      CGControl control;
      control.check_every   = 1;
      const CGResult result = CG<double>(*A, M).solve(
        x, test::make_vector(*A, test::random_values<double>(A->n_owned())),
        control);
      EXPECT_TRUE(result.converged);
      EXPECT_EQ(result.iterations, 1);
    }
}

TEST(BlockJacobi, BadInput)
{
  const auto A = test::make_operator_on<double>(
    Backend::host, "csr", test::unstructured_mesh(2, 0, false));
  EXPECT_THROW(BlockJacobi<double>(*A, 0), ParameterError);
  EXPECT_THROW(BlockJacobi<double>(*A, 33), ParameterError);
  const auto B = test::make_operator_on<double>(
    Backend::host, "matrix_free", test::unstructured_mesh(2, 0, false));
  try
    {
      make_preconditioner("block_jacobi", *B);
      FAIL() << "no error";
    }
  catch (const ParameterError &error)
    {
      EXPECT_EQ(std::string(error.what()),
                "The preconditioner block_jacobi needs the entries of a "
                "matrix, which the operator matrix_free does not have; legal "
                "with it are " +
                  list_of(operators_of_preconditioner("block_jacobi")) + ".");
    }
}

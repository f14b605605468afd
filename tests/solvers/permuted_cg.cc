#include <tessera/matrix/permutation.h>
#include <tessera/matrix/reordering.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/sell.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include <limits>

#include "problems.h"
#include "test.h"

using namespace tessera;
using test::backends;

// Tests conjugate gradients in the order of sorted rows: the right-hand side is
// brought into that order once, and the solution back once.
namespace
{
  /// Returns a symmetric matrix with a dominant diagonal. Row i has i % 7 + 1
  /// neighbours before it, so that rows have many lengths.
  SparseMatrix
  symmetric_matrix(const int n)
  {
    std::vector<std::vector<std::pair<int, double>>> rows(n);
    for (int i = 0; i < n; ++i)
      for (int k = 1; k <= i % 7 + 1; ++k)
        if (const int j = i - k * (k + 2); j >= 0)
          {
            const double value = -1. / (1 + k);
            rows[i].emplace_back(j, value);
            rows[j].emplace_back(i, value);
          }
    SparseMatrix A;
    A.n_columns         = n;
    A.pattern.row_start = {0};
    for (int i = 0; i < n; ++i)
      {
        double sum = 1 + 0.01 * i / n;
        for (const auto &entry : rows[i])
          sum -= entry.second;
        rows[i].emplace_back(i, sum);
        std::sort(rows[i].begin(), rows[i].end());
        for (const auto &[column, value] : rows[i])
          {
            A.pattern.columns.push_back(column);
            A.values.push_back(value);
          }
        A.pattern.row_start.push_back(A.pattern.columns.size());
      }
    return A;
  }

  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_sell(const SparseMatrix &A, const SellShape &shape,
            const Backend backend)
  {
    AssemblyOptions options;
    options.storage = options_of(shape);
    return make_row_operator<Number>("sell", A, backend, options);
  }

  template <class Number>
  CGResult
  solve(Vector<Number> &x, const Operator<Number> &A, const Vector<Number> &b)
  {
    const Jacobi<Number> preconditioner(A);
    CG<Number> cg(A, preconditioner);
    CGControl control;
    control.relative_tolerance = 100 * std::numeric_limits<Number>::epsilon();
    return cg.solve(x, b, control);
  }

  template <class Number>
  void
  compare(const Backend backend, const int n)
  {
    const SparseMatrix A = symmetric_matrix(n);
    const auto order     = order_by_row_length(A.pattern.row_start);
    const auto in_order =
      make_sell<Number>(reorder(A, order, true), {32, 1, 1, 4}, backend);
    const auto as_given = make_sell<Number>(A, {}, backend);

    Vector<Number> b(backend, n, 0), permuted_b(backend, n, 0),
      x(backend, n, 0), permuted_x(backend, n, 0), back(backend, n, 0);
    b.copy_from(test::random_values<Number>(n, 3));
    permute(permuted_b, b, Array<int>(backend, order));
    const CGResult result = solve(permuted_x, *in_order, permuted_b);
    EXPECT_TRUE(result.converged);
    permute(back, permuted_x, Array<int>(backend, inverse_permutation(order)));
    EXPECT_TRUE(solve(x, *as_given, b).converged);

    // The diagonal exceeds the sum of the others by at least 1, so residuals
    // bound the errors.
    const auto found = back.to_vector(), expected = x.to_vector();
    const double bound = 1e4 * std::numeric_limits<Number>::epsilon();
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(found[i], expected[i], bound) << "entry " << i << " of " << n;
  }

  TEST(PermutedCG, SolutionComesBack)
  {
    for (const Backend backend : backends())
      for (const int n : {1, 31, 33, 500})
        {
          compare<double>(backend, n);
          compare<float>(backend, n);
        }
  }

  TEST(Permute, ThereAndBack)
  {
    for (const Backend backend : backends())
      {
        Vector<double> a(backend, 5, 2), b(backend, 5, 2), c(backend, 5, 2);
        a.copy_from({1, 2, 3, 4, 5, 6, 7});
        const std::vector<int> order = {4, 2, 0, 1, 3};
        permute(b, a, Array<int>(backend, order));
        EXPECT_EQ(b.to_vector(), (std::vector<double>{5, 3, 1, 2, 4, 0, 0}));
        permute(c, b, Array<int>(backend, inverse_permutation(order)));
        EXPECT_EQ(c.to_vector(), (std::vector<double>{1, 2, 3, 4, 5, 0, 0}));
        EXPECT_THROW(permute(a, a, Array<int>(backend, order)),
                     std::length_error);
        EXPECT_THROW(permute(b, a, Array<int>(backend, std::size_t(4))),
                     std::length_error);
        const Vector<double> none(backend, 0, 0);
        Vector<double> nothing(backend, 0, 0);
        EXPECT_NO_THROW(permute(nothing, none, Array<int>(backend, 0)));
      }
  }
} // namespace

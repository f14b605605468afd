#include "test.h"

#include <tessera/base/error.h>
#include <tessera/fem/bridge/host_preconditioner.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>

#include <numeric>

#include "problems.h"

namespace
{
  using namespace tessera;

  /// deal.II's matrix of an operator of rows, with row and column i at
  /// `place[i]` of n.
  struct Matrix
  {
    Matrix(const SparseMatrix &rows, const std::vector<int> &place, const int n)
    {
      dealii::DynamicSparsityPattern dynamic(n, n);
      const auto for_each = [&](const auto &f) {
        for (int i = 0; i < rows.n_rows(); ++i)
          for (auto k = rows.pattern.row_start[i];
               k < rows.pattern.row_start[i + 1]; ++k)
            f(place[i], place[rows.pattern.columns[k]], rows.values[k]);
      };
      for (int i = 0; i < n; ++i)
        dynamic.add(i, i);
      for_each([&](int i, int j, double) { dynamic.add(i, j); });
      pattern.copy_from(dynamic);
      values.reinit(pattern);
      for (int i = 0; i < n; ++i)
        values.set(i, i, 1.);
      for_each([&](int i, int j, double value) { values.set(i, j, value); });
    }

    dealii::SparsityPattern pattern;
    dealii::SparseMatrix<double> values;
  };

  struct Fixture
  {
    Fixture()
      : A(test::make_operator_on<double>(Backend::host, "csr",
                                         test::unstructured_mesh(2, 2))),
        rows(
          collect_rows(dynamic_cast<const RowOperator<double> &>(*A).matrix(),
                       A->n_owned())),
        same(A->n_owned())
    {
      std::iota(same.begin(), same.end(), 0);
    }

    CGResult
    solve(const Preconditioner<double> &M, std::vector<double> &x) const
    {
      Vector<double> solution = A->make_vector();
      const CGResult result   = CG<double>(*A, M).solve(
          solution,
          test::make_vector(*A, test::random_values<double>(A->n_owned())), {});
      x = test::owned_values(solution);
      return result;
    }

    std::unique_ptr<Operator<double>> A;
    SparseMatrix rows;
    std::vector<int> same;
  };
} // namespace

TEST(HostPreconditioner, OfDealii)
{
  const Fixture f;
  std::vector<double> x, y;
  const CGResult jacobi = f.solve(Jacobi<double>(*f.A), x);
  const Matrix matrix(f.rows, f.same, f.A->n_owned());
  dealii::PreconditionSSOR<> ssor;
  ssor.initialize(matrix.values, 1.2);
  const CGResult result = f.solve(
    HostPreconditioner<dealii::PreconditionSSOR<>>(ssor, *f.A, "ssor"), y);
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.iterations, jacobi.iterations);
  EXPECT_LE(test::distance(x, y), 1e-7 * test::norm(x));
}

TEST(HostPreconditioner, WithIndicesOfDealii)
{
  // In deal.II's vectors every third entry is constrained, and the order is
  // turned round.
  const Fixture f;
  const int n = f.A->n_owned() * 3 / 2 + 2;
  std::vector<int> index;
  for (int i = 0; i < f.A->n_owned(); ++i)
    index.push_back(n - 1 - i - i / 2);
  const Matrix given(f.rows, f.same, f.A->n_owned()), turned(f.rows, index, n);
  dealii::PreconditionJacobi<> a, b;
  a.initialize(given.values);
  b.initialize(turned.values);
  using Jacobi = HostPreconditioner<dealii::PreconditionJacobi<>>;
  std::vector<double> x, y;
  const CGResult plain  = f.solve(Jacobi(a, *f.A, "jacobi"), x);
  const CGResult result = f.solve(Jacobi(b, *f.A, "jacobi", index, n), y);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, plain.iterations);
  EXPECT_EQ(x, y);
}

TEST(HostPreconditioner, OfTrilinos)
{
  int is_initialized = 0;
  MPI_Initialized(&is_initialized);
  if (is_initialized == 0)
    MPI_Init(nullptr, nullptr);
  const Fixture f;
  std::vector<double> x, y;
  const CGResult jacobi = f.solve(Jacobi<double>(*f.A), x);
  const Matrix matrix(f.rows, f.same, f.A->n_owned());
  dealii::TrilinosWrappers::SparseMatrix of_trilinos;
  of_trilinos.reinit(matrix.values);
  dealii::TrilinosWrappers::PreconditionAMG amg;
  amg.initialize(of_trilinos);
  using AMG = HostPreconditioner<dealii::TrilinosWrappers::PreconditionAMG>;
  const CGResult result = f.solve(AMG(amg, *f.A, "ml"), y);
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.iterations, jacobi.iterations / 2);
  EXPECT_LE(test::distance(x, y), 1e-7 * test::norm(x));
}

TEST(HostPreconditioner, BadInput)
{
  const Fixture f;
  const Matrix matrix(f.rows, f.same, f.A->n_owned());
  dealii::PreconditionJacobi<> M;
  M.initialize(matrix.values);
  using Jacobi = HostPreconditioner<dealii::PreconditionJacobi<>>;
  EXPECT_THROW(Jacobi(M, *f.A, "jacobi", {0, 1}, 2), ParameterError);
  std::vector<int> beyond = f.same;
  beyond.back()           = f.A->n_owned();
  EXPECT_THROW(Jacobi(M, *f.A, "jacobi", beyond, f.A->n_owned()),
               ParameterError);
}

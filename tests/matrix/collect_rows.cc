#include "matrix/matrices.h"

#include <tessera/assembly/append.h>
#include <tessera/assembly/strategy.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/csr.h>
#include <tessera/matrix/lazy_ell.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/matrix/sell.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>

#include <map>

using namespace tessera;
using namespace tessera::test;

// Rows of every format come back as the compressed rows they were made from.
namespace
{
  template <class Number>
  SparseMatrix
  of_problem(const RowProblem<Number> &problem, const int n_columns)
  {
    return {problem.pattern, n_columns,
            std::vector<double>(problem.a.begin(), problem.a.end())};
  }

  template <class Number>
  void
  check(const Backend backend, const Rows &rows)
  {
    const RowProblem<Number> problem(rows);
    const SparseMatrix expected = of_problem(problem, rows.n_columns);
    const CsrPattern pattern(problem.pattern, backend);
    const Array<Number> values(backend, problem.a);
    for (const std::string &name : row_operator_names())
      if (!descriptor(name).is_appended())
        {
          SCOPED_TRACE(name);
          const auto A = make_row_operator<Number>(
            name, CsrPattern(problem.pattern, backend), problem.n_tail);
          place_values(A->matrix(), pattern.row_start, values);
          expect_equal(collect_rows(A->matrix(), rows.n_columns), expected);
        }
    // Rows are sorted, have several lanes, or as many as a threshold asks for.
    for (const SellShape &shape :
         {SellShape{4, 8}, SellShape{32, 0, 1, 12}, SellShape{8, 1, 8}})
      {
        SellMatrix<Number> matrix(pattern, shape);
        place_values(matrix, pattern.row_start, values);
        expect_equal(collect_rows(matrix, rows.n_columns), expected);
      }
    const CsrMatrix<Number> long_offsets(CsrPattern(problem.pattern, backend),
                                         true);
    EXPECT_EQ(collect_rows(long_offsets, rows.n_columns).pattern.columns,
              expected.pattern.columns);
  }

  /// Repeated columns are compared with sums of the same entries.
  template <class Number>
  void
  check_lazy(const Backend backend, const int n_cells)
  {
    const auto space = std::make_shared<const Space>(
      build_space(generated_mesh(2, n_cells, 1, false)));
    const auto cells = std::make_shared<const CellData<Number>>(space, backend);
    LazyEllMatrix<Number> matrix(*cells);
    const FormData<Number> kappa(laplace(anisotropic(space->dim())), *cells);
    append_rows(matrix.begin_assembly(), kappa, "local_reuse",
                Conflict::coloring);
    const auto lengths = copy_of(backend, matrix.lengths(), matrix.n_rows());
    const auto columns = columns_of(matrix);
    const auto values  = matrix.values().to_vector();
    const SparseMatrix found = collect_rows(matrix, matrix.n_rows());
    EXPECT_EQ(defect(found), "");
    ASSERT_EQ(found.n_rows(), matrix.n_rows());
    for (int row = 0; row < found.n_rows(); ++row)
      {
        std::map<int, double> sums;
        for (int k = 0; k < lengths[row]; ++k)
          {
            const auto place = ell_place(row, k, matrix.width());
            sums[columns[place]] += values[place];
          }
        auto k = found.pattern.row_start[row];
        ASSERT_EQ(found.pattern.row_start[row + 1] - k,
                  static_cast<std::int64_t>(sums.size()));
        for (const auto &[column, value] : sums)
          {
            EXPECT_EQ(found.pattern.columns[k], column);
            EXPECT_EQ(found.values[k], value);
            ++k;
          }
      }
    EXPECT_LT(found.n_nonzeros(), matrix.n_nonzeros());
  }
} // namespace

TEST(CollectRows, EveryFormat)
{
  on_all_rows([](auto number, const Backend backend, const Rows &rows) {
    check<decltype(number)>(backend, rows);
  });
}

TEST(CollectRows, NoRows)
{
  const SparsityPattern pattern{{0}, {}};
  for (const Backend backend : backends())
    expect_equal(
      collect_rows(CsrMatrix<double>(CsrPattern(pattern, backend)), 3),
      make_matrix(3, {0}, {}, {}));
}

TEST(CollectRows, RepeatedColumnsAreAddedUp)
{
  for (const Backend backend : backends())
    for (const int n_cells : {2, 31, 33})
      {
        if (strategy_names().size() > 1) // the study appends
          {
            check_lazy<double>(backend, n_cells);
            check_lazy<float>(backend, n_cells);
          }
      }
}

TEST(CollectRows, SignsOfZerosStay)
{
  const SparsityPattern pattern{{0, 2}, {0, 1}};
  CsrMatrix<double> matrix(CsrPattern(pattern, Backend::host));
  matrix.values().copy_from({-0., 0.});
  const auto values = collect_rows(matrix, 2).values;
  EXPECT_TRUE(std::signbit(values[0]));
  EXPECT_FALSE(std::signbit(values[1]));
}

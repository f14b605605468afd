#include "matrix/matrices.h"

#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/csr.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/matrix/sell.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>

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

TEST(CollectRows, SignsOfZerosStay)
{
  const SparsityPattern pattern{{0, 2}, {0, 1}};
  CsrMatrix<double> matrix(CsrPattern(pattern, Backend::host));
  matrix.values().copy_from({-0., 0.});
  const auto values = collect_rows(matrix, 2).values;
  EXPECT_TRUE(std::signbit(values[0]));
  EXPECT_FALSE(std::signbit(values[1]));
}

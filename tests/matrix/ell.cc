#include "rows.h"

#include <tessera/operators/ell.h>

using namespace tessera;

// Tests ELLPACK: a layout written by hand, and products with rows that no mesh
// has.
namespace
{
  template <class Number>
  void
  check(const Backend backend, const test::Rows &rows)
  {
    const test::RowProblem<Number> problem(rows);
    EllMatrix<Number> matrix(CsrPattern(problem.pattern, backend));
    const std::size_t width = problem.pattern.max_row_length();
    ASSERT_EQ(matrix.values().size(),
              (rows.lengths.size() + 31) / 32 * 32 * width);
    EXPECT_EQ(matrix.bytes(), matrix.values().size() * (4 + sizeof(Number)) +
                                4 * rows.lengths.size());
    EXPECT_EQ(matrix.bytes_of_product(),
              problem.a.size() * (4 + sizeof(Number)) +
                4 * rows.lengths.size());
    matrix.values().copy_from(problem.values_at(
      matrix.values().size(), [&](const int row, const int k) {
        return row / 32 * 32 * width + 32 * k + row % 32;
      }));
    const Ell<Number> A(std::move(matrix), problem.n_tail);
    problem.check(A);
    EXPECT_EQ(A.traffic().compulsory,
              A.matrix().bytes_of_product() + 2 * sizeof(Number) * problem.n);
    EXPECT_EQ(A.traffic().stored, A.matrix().bytes());
  }
} // namespace

TEST(Ell, AgreesWithASerialLoop)
{
  test::on_all_rows(
    [](auto number, const Backend backend, const test::Rows &rows) {
      check<decltype(number)>(backend, rows);
    });
}

TEST(Ell, ColumnsAreStoredColumnByColumnOf32Rows)
{
  // | 1 2 . |  33 rows give two slices of 3 x 32: the first row has two
  // | . . . |  entries, the last one has three, the others have none.
  // | ...   |
  // | 3 4 5 |
  SparsityPattern pattern;
  pattern.row_start.assign(34, 2);
  pattern.row_start.front() = 0;
  pattern.row_start.back()  = 5;
  pattern.columns           = {0, 7, 2, 30, 32};
  for (const Backend backend : test::backends())
    {
      const EllMatrix<double> matrix(CsrPattern(pattern, backend));
      EXPECT_EQ(matrix.n_rows(), 33);
      EXPECT_EQ(matrix.width(), 3);
      EXPECT_EQ(matrix.n_nonzeros(), 5);
      EXPECT_EQ(matrix.padding(), 192 / 5.);
      std::vector<int> expected(192, 0);
      for (int k = 0; k < 3; ++k)
        for (int row = 0; row < 33; ++row)
          expected[row < 32 ? 32 * k + row : 96 + 32 * k] =
            row; // padding within the rows
      expected[0]       = 0;
      expected[32]      = 7;
      expected[96]      = 2;
      expected[96 + 32] = 30;
      expected[96 + 64] = 32;
      EXPECT_EQ(test::columns_of(matrix), expected);
      EXPECT_EQ(matrix.values().to_vector(), std::vector<double>(192, 0.));
      const RowAddressing rows = matrix.addressing();
      EXPECT_EQ(rows.position(32, 2), 96 + 64);
      EXPECT_EQ(rows.position(31, 2), 64 + 31);
      EXPECT_FALSE(rows.follow_one_another());
      if (backend == Backend::host || runtime::is_shim())
        {
          EXPECT_EQ(rows.length(0), 2);
          EXPECT_EQ(rows.length(1), 0);
          EXPECT_EQ(rows.length(32), 3);
        }
    }
}

TEST(Ell, NoRows)
{
  for (const Backend backend : test::backends())
    {
      Ell<float> A(EllMatrix<float>(CsrPattern({{0}, {}}, backend)), 0);
      EXPECT_EQ(A.n_owned(), 0);
      EXPECT_EQ(A.matrix().padding(), 1.);
      Vector<float> x = A.make_vector(), y = A.make_vector();
      A.vmult(y, x);
      A.diagonal(y);
    }
}

#include "../matrix/rows.h"

#include <tessera/matrix/place_rows.h>
#include <tessera/operators/factory.h>

using namespace tessera;

// Tests padded compressed rows: a layout written by hand, and products with
// rows that no mesh has.
namespace
{
  template <class Number>
  void
  check(const Backend backend, const test::Rows &rows)
  {
    const test::RowProblem<Number> problem(rows);
    const auto A = make_row_operator<Number>(
      "csr_padded", CsrPattern(problem.pattern, backend), problem.n_tail);
    std::size_t n_places = 0;
    std::vector<std::size_t> start;
    for (int row = 0; row < problem.n; ++row)
      {
        start.push_back(n_places);
        n_places += (problem.length(row) + 3) / 4 * 4;
      }
    const std::size_t index = 8 * (problem.n + 1);
    EXPECT_EQ(A->matrix().bytes(),
              n_places * (4 + sizeof(Number)) + index + 4 * problem.n);
    EXPECT_EQ(A->matrix().bytes_of_product(),
              problem.a.size() * (4 + sizeof(Number)) + index);
    A->matrix().values().copy_from(problem.values_at(
      n_places, [&](const int row, const int k) { return start[row] + k; }));
    problem.check(*A);
  }
} // namespace

TEST(CsrPadded, AgreesWithASerialLoop)
{
  test::on_all_rows(
    [](auto number, const Backend backend, const test::Rows &rows) {
      check<decltype(number)>(backend, rows);
    });
}

TEST(CsrPadded, RowsHaveMultiplesOfFourPlaces)
{
  // | 1 2 . . . . |  Row 2 has one entry more than a group, row 1 has none.
  // | . . . . . . |
  // | 3 4 5 6 7 . |
  const SparsityPattern pattern{{0, 2, 2, 7}, {0, 3, 0, 1, 2, 4, 5}};
  for (const Backend backend : test::backends())
    {
      const auto A                    = make_row_operator<double>("csr_padded",
                                               CsrPattern(pattern, backend), 3);
      const RowMatrix<double> &matrix = A->matrix();
      EXPECT_EQ(test::columns_of(matrix),
                std::vector<int>({0, 3, 0, 0, 0, 1, 2, 4, 5, 2, 2, 2}));
      EXPECT_EQ(matrix.values().to_vector(), std::vector<double>(12, 0.));
      EXPECT_EQ(matrix.padding(), 12 / 7.);
      if (backend == Backend::host || runtime::is_shim())
        {
          const RowAddressing rows = matrix.addressing();
          EXPECT_FALSE(rows.follow_one_another());
          EXPECT_EQ(rows.position(0, 1), 1);
          EXPECT_EQ(rows.position(2, 4), 8);
          EXPECT_EQ(rows.length(0), 2);
          EXPECT_EQ(rows.length(1), 0);
          EXPECT_EQ(rows.length(2), 5);
        }
      EXPECT_EQ(matrix.pattern().columns, pattern.columns);
    }
}

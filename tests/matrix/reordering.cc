#include "rows.h"

#include <tessera/base/error.h>
#include <tessera/matrix/reordering.h>

using namespace tessera;

namespace
{
  /// Returns rows of 1, 3, 0, 3 and 2 entries; values tell their first places.
  SparseMatrix
  example()
  {
    return {{{0, 1, 4, 4, 7, 9}, {2, 0, 1, 4, 1, 2, 3, 0, 4}},
            5,
            {2, 10, 11, 14, 31, 32, 33, 40, 44}};
  }
} // namespace

TEST(Reordering, LongerRowsComeFirstOthersInTheirOrder)
{
  EXPECT_EQ(order_by_row_length(example().pattern.row_start),
            (std::vector<int>{1, 3, 4, 0, 2}));
  EXPECT_TRUE(order_by_row_length({0}).empty());
  EXPECT_EQ(order_by_row_length({0, 0, 0}), (std::vector<int>{0, 1}));
}

TEST(Reordering, WindowsAreSortedAloneAndTheLastMayBeShort)
{
  const SparseMatrix A = example();
  EXPECT_EQ(order_by_row_length(A.pattern.row_start, 1),
            (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(order_by_row_length(A.pattern.row_start, 2),
            (std::vector<int>{1, 0, 3, 2, 4}));
  EXPECT_EQ(order_by_row_length(A.pattern.row_start, 3),
            (std::vector<int>{1, 0, 2, 3, 4}));
  EXPECT_EQ(order_by_row_length(A.pattern.row_start, 100),
            order_by_row_length(A.pattern.row_start));
}

TEST(Reordering, RowsAndColumnsAreRenumbered)
{
  const SparseMatrix A         = example();
  const std::vector<int> order = order_by_row_length(A.pattern.row_start);
  // The columns 0 1 2 3 4 become 3 0 4 1 2.
  EXPECT_EQ(inverse_permutation(order), (std::vector<int>{3, 0, 4, 1, 2}));
  const SparseMatrix r = reorder(A, order, false);
  EXPECT_EQ(r.n_columns, 5);
  EXPECT_EQ(r.pattern.row_start, (std::vector<std::int64_t>{0, 3, 6, 8, 9, 9}));
  EXPECT_EQ(r.pattern.columns, (std::vector<int>{3, 0, 2, 0, 4, 1, 3, 2, 4}));
  EXPECT_EQ(r.values, (std::vector<double>{10, 11, 14, 31, 32, 33, 40, 44, 2}));

  const SparseMatrix rs = reorder(A, order, true);
  EXPECT_EQ(rs.pattern.row_start, r.pattern.row_start);
  EXPECT_EQ(rs.pattern.columns, (std::vector<int>{0, 2, 3, 0, 1, 4, 2, 3, 4}));
  EXPECT_EQ(rs.values,
            (std::vector<double>{11, 14, 10, 31, 33, 32, 44, 40, 2}));
}

TEST(Reordering, AnyOrderAndBackGivesTheSameMatrix)
{
  const test::Rows rows         = {"", 129, test::lengths(129, 0, 14)};
  const SparsityPattern pattern = test::make_pattern(rows);
  const SparseMatrix A          = {
             pattern, 129, test::random_values<double>(pattern.columns.size(), 5)};
  const std::vector<int> order = order_by_row_length(A.pattern.row_start);
  const SparseMatrix back =
    reorder(reorder(A, order, true), inverse_permutation(order), true);
  EXPECT_EQ(back.pattern.row_start, A.pattern.row_start);
  EXPECT_EQ(back.pattern.columns, A.pattern.columns);
  EXPECT_EQ(back.values, A.values);
}

TEST(Reordering, RectangularOnesAreRefused)
{
  const SparseMatrix A = {{{0, 1}, {2}}, 3, {1}};
  EXPECT_THROW(reorder(A, {0}, true), ParameterError);
}

TEST(Reordering, OrdersThatAreNoneAreRefused)
{
  const std::vector<std::vector<int>> wrong = {{0, 1, 2, 3},
                                               {0, 1, 2, 3, 3},
                                               {0, 1, 2, 3, 5},
                                               {-1, 1, 2, 3, 4},
                                               {0, 1, 2, 3, 4, 5}};
  for (const std::vector<int> &order : wrong)
    EXPECT_THROW(reorder(example(), order, true), ParameterError);
}

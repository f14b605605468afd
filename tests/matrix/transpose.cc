#include <tessera/matrix/transpose.h>

#include <gtest/gtest.h>

namespace tessera
{
  TEST(Transpose, OfASmallMatrix)
  {
    // 1 0 2
    // 0 0 3
    SparseMatrix A{{{0, 2, 3}, {0, 2, 2}}, 3, {1, 2, 3}};
    const SparseMatrix B = transpose(A);
    EXPECT_EQ(B.n_columns, 2);
    EXPECT_EQ(B.pattern.row_start, (std::vector<std::int64_t>{0, 1, 1, 3}));
    EXPECT_EQ(B.pattern.columns, (std::vector<int>{0, 0, 1}));
    EXPECT_EQ(B.values, (std::vector<double>{1, 2, 3}));
    const SparseMatrix C = transpose(B);
    EXPECT_EQ(C.pattern.row_start, A.pattern.row_start);
    EXPECT_EQ(C.pattern.columns, A.pattern.columns);
    EXPECT_EQ(C.values, A.values);
    EXPECT_EQ(transpose(SparseMatrix{{{0}, {}}, 2, {}}).n_rows(), 2);
  }
} // namespace tessera

#include "../matrix/tiles.h"

#include <tessera/study/operators/coo.h>

using namespace tessera;

// Tests coordinates: a layout written by hand, and products with rows that no
// mesh has.
TEST(Coo, AgreesWithASerialLoop)
{
  for (const Backend backend : test::backends())
    for (const test::Rows &rows : test::tile_rows())
      {
        SCOPED_TRACE(to_string(backend) + ", " + rows.name);
        test::check_tiles<Coo, CooMatrix, double>(backend, rows, false);
        test::check_tiles<Coo, CooMatrix, float>(backend, rows, true);
      }
}

TEST(Coo, EveryEntryHasItsRow)
{
  const SparsityPattern pattern{{0, 1, 5, 5, 8}, {0, 0, 1, 2, 3, 1, 2, 3}};
  for (const Backend backend : test::backends())
    for (const bool force_64 : {false, true})
      {
        const CooMatrix<double> matrix(CsrPattern(pattern, backend), force_64);
        EXPECT_EQ(test::copy_of(backend, matrix.rows(), 8),
                  (std::vector<int>{0, 1, 1, 1, 1, 3, 3, 3}));
        EXPECT_EQ(test::columns_of(matrix), pattern.columns);
        EXPECT_TRUE(matrix.has_empty_rows());
        EXPECT_EQ(matrix.bytes(), std::size_t(8 * 16 + 5 * (force_64 ? 8 : 4)));
        EXPECT_EQ(matrix.bytes_of_product(), std::size_t(8 * 16));
        EXPECT_EQ(matrix.padding(), 1.);
        EXPECT_EQ(matrix.pattern().row_start, pattern.row_start);
        EXPECT_EQ(matrix.pattern().columns, pattern.columns);
        if (backend == Backend::cuda && !runtime::is_shim())
          continue;
        for (int row = 0; row < 4; ++row)
          EXPECT_EQ(matrix.addressing().position(row, 2),
                    pattern.row_start[row] + 2);
      }
}

TEST(Coo, EmptyRowsAreSeen)
{
  for (const Backend backend : test::backends())
    {
      const auto seen = [&](const std::vector<int> &lengths) {
        return CooMatrix<float>(
                 CsrPattern(test::make_pattern({"", 9, lengths}), backend))
          .has_empty_rows();
      };
      EXPECT_FALSE(seen({}));
      EXPECT_FALSE(seen({1}));
      EXPECT_FALSE(seen(std::vector<int>(33, 4)));
      EXPECT_TRUE(seen({0}));
      EXPECT_TRUE(seen({3, 3, 0}));
    }
}
